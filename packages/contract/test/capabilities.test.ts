import * as contract from '../src/index.ts'
import { type EndpointShape, ROLES, type Role } from '../src/index.ts'

/**
 * Each field of a response that lets its holder do something, with the least role that gets it at the console. `own`: it has no more rights
 * than the sender of the request. `embedded`: it is for the holder of an embed code or of its token. `application`: only the application's own
 * requests get it; at the console it is empty.
 */
const CAPABILITIES: Readonly<Record<string, Role | 'own' | 'embedded' | 'application'>> = {
  'addMember sign_in_url': 'owner',
  'approveMcpSignIn url': 'developer',
  'batchCall results.error.login_url': 'application',
  'batchCall results.result.meta.refused_account.login_url': 'application',
  'callFunction meta.refused_account.login_url': 'application',
  'createApiKey partner_api_key': 'owner',
  'createEmbedAccess access_token': 'embedded',
  'createEmbedSession url': 'developer',
  'createListener signing_secret': 'developer',
  'createMcpClient client_secret': 'owner',
  'createMcpSignInLink url': 'developer',
  'createMcpToken settings': 'developer',
  'createMcpToken settings.claude_code': 'developer',
  'createMcpToken settings.vscode': 'developer',
  'createMcpToken token': 'developer',
  'createSignInLink url': 'operator',
  'createSubscription signing_secret': 'developer',
  'createToken token': 'own',
  'getApp login_url': 'application',
  'getFunction meta.app.login_url': 'application',
  'listApps apps.login_url': 'application',
  'listFunctions functions.meta.app.login_url': 'application',
  'openConnectSession url': 'developer',
  'openEmbeddedConnect url': 'embedded',
  'predictFunction functions.meta.app.login_url': 'application',
  'putApplication app_secret': 'developer',
  'putApplication assignment': 'developer',
  'putWorkspace partner_api_key': 'owner',
  'redeemEmbedCode token': 'embedded',
  'renewSession access_token': 'own',
  'rotatePartnerKey partner_api_key': 'owner',
  'rotateSecret app_secret': 'owner',
  'rotateSigningSecret signing_secret': 'developer',
}

/** Names of fields that give no rights, and why. */
const HARMLESS: Readonly<Record<string, string>> = {
  app_key: 'names an application; a request also needs its hash',
  callback_url: 'receives webhooks, which their signing secret protects',
  completion_tokens: 'a count',
  docs_url: 'a public page',
  icon_url: 'a public image',
  key_id: 'names an API key',
  network_code: 'a status',
  option_key_path: 'a path within an output',
  previous_secret_valid_until: 'a time',
  prompt_tokens: 'a count',
  secret_rotated_at: 'a time',
  session_expires_at: 'a time',
  session_id: 'names an embed session; only with the API key can it be ended',
  url_expires_at: 'a time',
  value_key_path: 'a path within an output',
}

/** Fields with a name that other fields use for a capability, by endpoint. */
const HARMLESS_HERE: Readonly<Record<string, string>> = {
  'readCall refusal.code': 'the code of an error',
  'readCalls calls.refusal.code': 'the code of an error',
  'batchCall results.error.code': 'an error code',
  'batchCall results.error.approval_url': 'a page that shows nothing before the user has signed in',
  'callFunction request.url': 'the address of an onward call, without credentials',
  'decideApplicationApproval request.url': 'the address of an onward call, without credentials',
  'decideApproval request.url': 'the address of an onward call, without credentials',
  'getApproval request.url': 'the address of an onward call, without credentials',
  'listApplicationApprovals approvals.request.url': 'the address of an onward call, without credentials',
  'listApprovals approvals.request.url': 'the address of an onward call, without credentials',
  'decideApplicationApproval token': 'the id and name of an MCP token',
  'decideApproval token': 'the id and name of an MCP token',
  'getApproval token': 'the id and name of an MCP token',
  'listApplicationApprovals approvals.token': 'the id and name of an MCP token',
  'listApprovals approvals.token': 'the id and name of an MCP token',
  'readApproval request.url': 'the address of an onward call, without credentials',
  'readApproval token': 'the id and name of an MCP token',
  'createApiKey key': 'an object with the name of the key',
  'listApplications applications.connect_pages.tokens': 'a choice of the application',
  'listApplications applications.connect_pages.limit_url': 'a page of the application',
  'listApplications applications.masked_secret': 'the prefix and the last four characters',
  'listApplications applications.masked_previous_secret': 'the prefix and the last four characters',
  'readEmbeddedLook limit_url': 'a page of the application',
  'getMcpSignIn mcp_url': 'the MCP URL of the application, which is public',
  'getMcpSignIn redirect_url': 'an address that OpenID providers register',
  'getMcpSignIn hand_off_url': 'a page of the application',
  'createMcpSignInLink mcp_url': 'the MCP URL of the application, which is public',
  'createMcpToken url': 'the address of the MCP server',
  'getFunction parameters.properties.*.meta.ui.ui_field.data_source.url': 'an endpoint, which needs the hash',
  'getWorkspace keys': 'names of keys',
  'listFunctions functions.parameters.properties.*.meta.ui.ui_field.data_source.url': 'an endpoint, which needs the hash',
  'listApplicationMcpTokens tokens': 'names of tokens',
  'listMcpTokens tokens': 'names of tokens',
  'listSessions sessions': 'the sessions of a person, without their tokens',
  'predictFunction functions.parameters.properties.*.meta.ui.ui_field.data_source.url': 'an endpoint, which needs the hash',
  'previewCall url': 'the address of an onward call, without credentials',
  'previewImport auth.authorization_url': 'from an OpenAPI document',
  'previewImport auth.token_url': 'from an OpenAPI document',
  'previewImport base_url': 'from an OpenAPI document',
  'previewImport servers.url': 'from an OpenAPI document',
  'previewImport settings': 'from an OpenAPI document',
  'readAudit entries.code': 'an error code',
  'readCallStatistics hours.key': 'the value by which calls are grouped',
  'readCallStatistics totals.key': 'the value by which calls are grouped',
  'readCatalogApp client_help.url': 'a public page of the vendor',
  'readCatalogApp redirect_url': 'an address that OAuth clients register',
  'readSession session': 'an object with the times of the session',
}

const SUSPECT = /url|link|token|secret|key|code|assignment|settings|confirmation|session|password|credential/

type Parts = { properties?: object; items?: unknown; additionalProperties?: unknown; anyOf?: object[]; oneOf?: object[]; allOf?: object[] }

/** Returns the paths of a schema's fields that have the name or format of a capability. */
function suspectsOf(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema as Parts
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const suspect = SUSPECT.test(name) || Object(field).format === 'uri'
    return [...(suspect ? [path + name] : []), ...suspectsOf(field, `${path}${name}.`)]
  })
  const forms = [items, ...anyOf, ...oneOf, ...allOf].flatMap((form) => suspectsOf(form, path))
  return [...new Set([...fields, ...forms, ...suspectsOf(additionalProperties, `${path}*.`)])]
}

const endpoints = Object.entries(contract).filter(
  ([, value]) => typeof value === 'object' && 'method' in value && 'path' in value,
) as unknown as [string, EndpointShape][]
const suspects = endpoints.flatMap(([name, { response }]) => suspectsOf(response).map((path) => `${name} ${path}`))

describe('the fields of answers', () => {
  it('are each a capability with a role, or harmless for a reason', () => {
    const lastOf = (field: string) => field.slice(Math.max(field.lastIndexOf('.'), field.lastIndexOf(' ')) + 1)
    const unknown = suspects.filter((each) => !(each in CAPABILITIES || each in HARMLESS_HERE || lastOf(each) in HARMLESS))
    expect(unknown).toEqual([])
    // The lists name no field that is gone.
    expect(Object.keys(HARMLESS).filter((name) => !suspects.some((each) => lastOf(each) === name))).toEqual([])
    expect([...Object.keys(CAPABILITIES), ...Object.keys(HARMLESS_HERE)].filter((each) => !suspects.includes(each))).toEqual([])
  })

  it.each(Object.entries(CAPABILITIES))('%s is for %s', (field, role) => {
    const endpoint = endpoints.find(([name]) => name === field.split(' ')[0])?.[1]
    if (role === 'embedded') expect(endpoint?.path).toMatch(/^\/embed\/api\//)
    // That these are empty at the console is tested there.
    else if (role === 'application') expect(field).toMatch(/\blogin_url$/)
    else if (role !== 'own') expect(ROLES.indexOf(endpoint?.access?.role as Role)).toBeGreaterThanOrEqual(ROLES.indexOf(role))
  })

  it('with a capability come from endpoints whose use is in the audit log', () => {
    const recorded = Object.entries(CAPABILITIES).filter(([, role]) => ROLES.includes(role as Role))
    for (const [field] of recorded) {
      const [name = ''] = field.split(' ')
      expect([name, typeof endpoints.find(([each]) => each === name)?.[1].action]).toEqual([name, 'string'])
    }
  })
})
