import type * as contract from '@onward/contract'
import type { At } from './send.ts'

type Shape = contract.EndpointShape

/** Names an endpoint of the contract. Only the types of the contract are imported, and the compiler compares method and path with them. */
function at<E extends Shape>(method: E['method'], path: E['path']): At<E> {
  return { method, path }
}

export const abortReplay = at<typeof contract.abortReplay>('delete', '/admin/workspaces/:workspace_id/replays/:replay_id')
export const addMember = at<typeof contract.addMember>('post', '/admin/workspaces/:workspace_id/members')
export const callFunction = at<typeof contract.callFunction>('post', '/functions/:function_name/call')
export const changeMember = at<typeof contract.changeMember>('patch', '/admin/workspaces/:workspace_id/members/:person_id')
export const clearPastPrompts = at<typeof contract.clearPastPrompts>('delete', '/admin/applications/:app_key/past-prompts')
export const confirmOwnAccount = at<typeof contract.confirmOwnAccount>('post', '/connected-accounts/:id/confirm')
export const createApiKey = at<typeof contract.createApiKey>('post', '/admin/workspaces/:workspace_id/keys')
export const createEmbedSession = at<typeof contract.createEmbedSession>('post', '/partners/api/insights/embed-sessions')
export const createReplay = at<typeof contract.createReplay>('post', '/admin/workspaces/:workspace_id/replays')
export const createSubscription = at<typeof contract.createSubscription>('post', '/partners/api/insights/subscriptions')
export const createToken = at<typeof contract.createToken>('post', '/admin/tokens')
export const decideApplicationApproval = at<typeof contract.decideApplicationApproval>(
  'post',
  '/admin/applications/:app_key/approvals/:id/decide',
)
export const deleteApplication = at<typeof contract.deleteApplication>('delete', '/admin/applications/:app_key')
export const deleteImportedApp = at<typeof contract.deleteImportedApp>('delete', '/admin/apps/:name')
export const deleteInsightsApplication = at<typeof contract.deleteInsightsApplication>('delete', '/admin/applications/:app_key')
export const deleteOAuthClient = at<typeof contract.deleteOAuthClient>('delete', '/admin/applications/:app_key/oauth-clients/:app')
export const deletePreviousSecret = at<typeof contract.deletePreviousSecret>('delete', '/admin/applications/:app_key/previous-secret')
export const deleteSubscription = at<typeof contract.deleteSubscription>('delete', '/partners/api/insights/subscriptions/:subscription_id')
export const deleteWorkspace = at<typeof contract.deleteWorkspace>('delete', '/admin/workspaces/:workspace_id')
export const deleteUser = at<typeof contract.deleteUser>('post', '/admin/applications/:app_key/user-data/delete')
export const disableSubscription = at<typeof contract.disableSubscription>(
  'post',
  '/partners/api/insights/subscriptions/:subscription_id/disable',
)
export const disconnectOwnAccount = at<typeof contract.disconnectOwnAccount>('delete', '/connected-accounts/:id')
export const dropQuarantined = at<typeof contract.dropQuarantined>('delete', '/admin/quarantine/:id')
export const enableSubscription = at<typeof contract.enableSubscription>(
  'post',
  '/partners/api/insights/subscriptions/:subscription_id/enable',
)
export const endEmbedSessions = at<typeof contract.endEmbedSessions>('post', '/partners/api/insights/embed-sessions/end')
export const endSession = at<typeof contract.endSession>('delete', '/admin/sessions/:id')
export const getConnectedAccount = at<typeof contract.getConnectedAccount>('get', '/admin/connected-accounts/:id')
export const getFunction = at<typeof contract.getFunction>('post', '/functions/:function_name/get')
export const getMcpSignIn = at<typeof contract.getMcpSignIn>('get', '/admin/applications/:app_key/mcp-sign-in')
export const getPolicy = at<typeof contract.getPolicy>('get', '/admin/applications/:app_key/policy')
export const getReplay = at<typeof contract.getReplay>('get', '/admin/workspaces/:workspace_id/replays/:replay_id')
export const getSubscription = at<typeof contract.getSubscription>('get', '/partners/api/insights/subscriptions/:subscription_id')
export const getUserDetail = at<typeof contract.getUserDetail>('get', '/admin/users/detail')
export const getUserTaskHistory = at<typeof contract.getUserTaskHistory>('get', '/partners/api/insights/users/:id/tasks/history')
export const getWorkspace = at<typeof contract.getWorkspace>('get', '/admin/workspaces/:workspace_id')
export const getWorkspaceAttention = at<typeof contract.getWorkspaceAttention>('get', '/admin/workspaces/:workspace_id/attention')
export const listAppIcons = at<typeof contract.listAppIcons>('get', '/admin/app-icons')
export const listApplicationApprovals = at<typeof contract.listApplicationApprovals>('get', '/admin/applications/:app_key/approvals')
export const listApplicationMcpTokens = at<typeof contract.listApplicationMcpTokens>('get', '/admin/applications/:app_key/mcp-tokens')
export const listApplications = at<typeof contract.listApplications>('get', '/admin/applications')
export const listSuspensions = at<typeof contract.listSuspensions>('get', '/admin/suspensions')
export const listCatalog = at<typeof contract.listCatalog>('get', '/admin/catalog')
export const listConnectedAccounts = at<typeof contract.listConnectedAccounts>('get', '/admin/applications/:app_key/connected-accounts')
export const listFunctions = at<typeof contract.listFunctions>('post', '/functions/list')
export const listInsightsApplications = at<typeof contract.listInsightsApplications>('get', '/admin/applications')
export const listMembers = at<typeof contract.listMembers>('get', '/admin/workspaces/:workspace_id/members')
export const listOAuthClients = at<typeof contract.listOAuthClients>('get', '/admin/applications/:app_key/oauth-clients')
export const listOwnAccounts = at<typeof contract.listOwnAccounts>('post', '/connected-accounts/list')
export const listQuarantine = at<typeof contract.listQuarantine>('get', '/admin/quarantine')
export const listReplays = at<typeof contract.listReplays>('get', '/admin/workspaces/:workspace_id/replays')
export const listSessions = at<typeof contract.listSessions>('get', '/admin/sessions')
export const listSubscriptions = at<typeof contract.listSubscriptions>('get', '/partners/api/insights/subscriptions')
export const listWorkspaces = at<typeof contract.listWorkspaces>('get', '/admin/workspaces')
export const listUsers = at<typeof contract.listUsers>('get', '/admin/users')
export const listUserTasks = at<typeof contract.listUserTasks>('get', '/partners/api/insights/users/tasks')
export const readMcpTokenUsage = at<typeof contract.readMcpTokenUsage>('get', '/admin/applications/:app_key/mcp-tokens/:id/usage')
export const narrowMcpToken = at<typeof contract.narrowMcpToken>('patch', '/mcp/tokens/:id')
export const openConnectSession = at<typeof contract.openConnectSession>('post', '/connect/session')
export const predictFunction = at<typeof contract.predictFunction>('post', '/functions/predict')
export const previewCall = at<typeof contract.previewCall>(
  'post',
  '/admin/applications/:app_key/users/:user_id/functions/:function_name/preview',
)
export const previewImport = at<typeof contract.previewImport>('post', '/admin/apps/:name/preview')
export const previewLimits = at<typeof contract.previewLimits>('post', '/admin/workspaces/:workspace_id/limit-preview')
export const previewReplay = at<typeof contract.previewReplay>('get', '/admin/workspaces/:workspace_id/replay-preview')
export const putApp = at<typeof contract.putApp>('put', '/admin/apps/:name')
export const putApplication = at<typeof contract.putApplication>('put', '/admin/applications/:app_key')
export const putInsightsApplication = at<typeof contract.putInsightsApplication>('put', '/admin/applications/:app_key')
export const putMcpSignIn = at<typeof contract.putMcpSignIn>('put', '/admin/applications/:app_key/mcp-sign-in')
export const putOAuthClient = at<typeof contract.putOAuthClient>('put', '/admin/applications/:app_key/oauth-clients/:app')
export const putSuspension = at<typeof contract.putSuspension>('put', '/admin/suspensions')
export const putPolicy = at<typeof contract.putPolicy>('put', '/admin/applications/:app_key/policy')
export const putWorkspace = at<typeof contract.putWorkspace>('put', '/admin/workspaces/:workspace_id')
export const readApprovalBackground = at<typeof contract.readApprovalBackground>('get', '/admin/approvals/:id/background')
export const readApproval = at<typeof contract.readApproval>('get', '/admin/approvals/:id')
export const readAttention = at<typeof contract.readAttention>('get', '/admin/attention')
export const readAudit = at<typeof contract.readAudit>('get', '/admin/audit')
export const readCall = at<typeof contract.readCall>('get', '/admin/calls/:call_id')
export const readCalls = at<typeof contract.readCalls>('get', '/admin/calls')
export const readCallStatistics = at<typeof contract.readCallStatistics>('get', '/admin/calls/statistics')
export const readCatalogApp = at<typeof contract.readCatalogApp>('get', '/admin/catalog/:app')
export const readCatalogFunction = at<typeof contract.readCatalogFunction>('get', '/admin/functions/:function_name')
export const readDeliveries = at<typeof contract.readDeliveries>('get', '/admin/workspaces/:workspace_id/deliveries')
export const readReconcile = at<typeof contract.readReconcile>('get', '/admin/reconcile')
export const readSession = at<typeof contract.readSession>('get', '/admin/session')
export const readSingleSignOn = at<typeof contract.readSingleSignOn>('get', '/admin/single-sign-on')
export const readSubscriptionHealth = at<typeof contract.readSubscriptionHealth>(
  'get',
  '/admin/workspaces/:workspace_id/subscription-health',
)
export const readSystem = at<typeof contract.readSystem>('get', '/admin/system')
export const readTask = at<typeof contract.readTask>('get', '/admin/tasks/:call_id')
export const readTasks = at<typeof contract.readTasks>('get', '/admin/tasks')
export const rebuildUsage = at<typeof contract.rebuildUsage>('post', '/admin/usage/rebuild')
export const removeMember = at<typeof contract.removeMember>('delete', '/admin/workspaces/:workspace_id/members/:person_id')
export const replayDelivery = at<typeof contract.replayDelivery>('post', '/partners/api/insights/deliveries/:delivery_id/replay')
export const replayQuarantine = at<typeof contract.replayQuarantine>('post', '/admin/quarantine/replay')
export const resealSecrets = at<typeof contract.resealSecrets>('post', '/admin/secrets/reseal')
export const revokeApiKey = at<typeof contract.revokeApiKey>('delete', '/admin/workspaces/:workspace_id/keys/:key_id')
export const revokeApplicationMcpToken = at<typeof contract.revokeApplicationMcpToken>(
  'delete',
  '/admin/applications/:app_key/mcp-tokens/:id',
)
export const rotateSecret = at<typeof contract.rotateSecret>('post', '/admin/applications/:app_key/rotate-secret')
export const rotateSigningSecret = at<typeof contract.rotateSigningSecret>(
  'post',
  '/partners/api/insights/subscriptions/:subscription_id/rotate-secret',
)
export const runRetention = at<typeof contract.runRetention>('post', '/admin/retention/run')
export const searchFunctions = at<typeof contract.searchFunctions>('get', '/admin/functions')
export const setAllLimits = at<typeof contract.setAllLimits>('post', '/partners/api/insights/users/tasks-bulk')
export const setDefaultAccount = at<typeof contract.setDefaultAccount>('post', '/connected-accounts/:id/set_as_default')
export const sendPending = at<typeof contract.sendPending>(
  'post',
  '/admin/workspaces/:workspace_id/subscriptions/:subscription_id/send-pending',
)
export const setDefaultLimit = at<typeof contract.setDefaultLimit>('patch', '/partners/api/accounts/me')
export const setUserLimits = at<typeof contract.setUserLimits>('post', '/partners/api/insights/users/tasks')
export const startReconcile = at<typeof contract.startReconcile>('post', '/admin/reconcile')
export const stopReconcile = at<typeof contract.stopReconcile>('delete', '/admin/reconcile')
export const testConnectedAccount = at<typeof contract.testConnectedAccount>(
  'post',
  '/admin/applications/:app_key/connected-accounts/:id/test',
)
export const testPolicy = at<typeof contract.testPolicy>('post', '/admin/applications/:app_key/policy/test')
export const testSubscription = at<typeof contract.testSubscription>('post', '/partners/api/insights/subscriptions/:subscription_id/test')
export const updateSubscription = at<typeof contract.updateSubscription>('patch', '/partners/api/insights/subscriptions/:subscription_id')
