import type { Migrations } from '@onward/runtime'
import { up as firstSchema } from './20261122T000000Z-first-schema.ts'
import { up as reconciliation } from './20261122T183500Z-reconciliation.ts'
import { up as queueSettings } from './20261122T192000Z-queue-settings.ts'
import { up as renewalHolder } from './20261122T201500Z-renewal-holder.ts'
import { up as pendingAccounts } from './20261122T215700Z-pending-accounts.ts'
import { up as userPrompts } from './20261122T221200Z-user-prompts.ts'
import { up as oauthClientScopes } from './20261122T223300Z-oauth-client-scopes.ts'
import { up as appErrors } from './20261122T224200Z-app-errors.ts'
import { up as rateLimits } from './20261122T232900Z-rate-limits.ts'
import { up as accountOwners } from './20261123T013000Z-account-owners.ts'
import { up as clientProfile } from './20261123T050000Z-client-profile.ts'
import { up as mcpTokens } from './20261123T051000Z-mcp-tokens.ts'
import { up as connectSessions } from './20261123T052000Z-connect-sessions.ts'
import { up as deletedApplications } from './20261123T053000Z-deleted-applications.ts'
import { up as changeNotices } from './20261123T090000Z-change-notices.ts'
import { up as accountNotices } from './20261123T091000Z-account-notices.ts'
import { up as requestIds } from './20261123T141000Z-request-ids.ts'
import { up as callHours } from './20261123T142000Z-call-hours.ts'
import { up as accountLists } from './20261123T143000Z-account-lists.ts'
import { up as auditLog } from './20261123T153000Z-audit-log.ts'
import { up as answerQuotas } from './20261126T063000Z-answer-quotas.ts'
import { up as chosenDefaults } from './20261126T080000Z-chosen-defaults.ts'
import { up as shareLearning } from './20261126T082000Z-share-learning.ts'
import { up as promptAges } from './20261126T082100Z-prompt-ages.ts'
import { up as promptUsers } from './20261126T082200Z-prompt-users.ts'
import { up as endedRights } from './20261126T130000Z-ended-rights.ts'
import { up as mcpTokenMakers } from './20261126T130100Z-mcp-token-makers.ts'
import { up as sessionsOfUsers } from './20261126T132100Z-sessions-of-users.ts'
import { up as auditOrigin } from './20261126T134100Z-audit-origin.ts'
import { up as mcpTokenPeople } from './20261126T150000Z-mcp-token-people.ts'
import { up as pendingAccountsOfUsers } from './20261126T170000Z-pending-accounts-of-users.ts'
import { up as bodyQuotas } from './20261126T170300Z-body-quotas.ts'
import { up as endedVersions } from './20261126T180000Z-ended-versions.ts'
import { up as mcpTokenRights } from './20261126T180100Z-mcp-token-rights.ts'
import { up as connectLinkMakers } from './20261126T180400Z-connect-link-makers.ts'
import { up as auditReads } from './20261126T180600Z-audit-reads.ts'
import { up as processReach } from './20261126T200000Z-process-reach.ts'
import { up as mcpSignIn } from './20261127T003000Z-mcp-sign-in.ts'
import { up as mcpGrants } from './20261127T003100Z-mcp-grants.ts'
import { up as useModel } from './20261127T010000Z-use-model.ts'
import { up as mcpSignInSettings } from './20261127T013000Z-mcp-sign-in-settings.ts'
import { up as policies } from './20261127T020000Z-policies.ts'
import { up as mcpOpenid } from './20261127T021000Z-mcp-openid.ts'
import { up as eventOutbox } from './20261127T060000Z-event-outbox.ts'
import { up as approvals } from './20261127T061000Z-approvals.ts'
import { up as tokenRules } from './20261127T062000Z-token-rules.ts'
import { up as pendingApprovals } from './20261127T070000Z-pending-approvals.ts'
import { up as approvalTokens } from './20261127T090000Z-approval-tokens.ts'
import { up as connectPages } from './20261128T100000Z-connect-pages.ts'

import { up as mcpClientsByHand } from './20261128T103000Z-mcp-clients-by-hand.ts'
import { up as mcpClientsOfApplications } from './20261128T103100Z-mcp-clients-of-applications.ts'
import { up as approvalFiles } from './20261128T104500Z-approval-files.ts'
import { up as functionPhrasings } from './20261128T110000Z-function-phrasings.ts'
import { up as connectLanguages } from './20261128T111500Z-connect-languages.ts'
import { up as callTokens } from './20261129T080000Z-call-tokens.ts'
import { up as outboxTraces } from './20261129T160000Z-outbox-traces.ts'
import { up as userNamesOfLinks } from './20261129T170000Z-user-names-of-links.ts'
import { up as suspensions } from './20261129T230000Z-suspensions.ts'
import { up as refusedCalls } from './20261130T061000Z-refused-calls.ts'

export const migrations: Migrations = {
  '20261122T000000Z-first-schema': { up: firstSchema },
  '20261122T183500Z-reconciliation': { up: reconciliation },
  '20261122T192000Z-queue-settings': { up: queueSettings },
  '20261122T201500Z-renewal-holder': { up: renewalHolder },
  '20261122T215700Z-pending-accounts': { up: pendingAccounts },
  '20261122T221200Z-user-prompts': { up: userPrompts },
  '20261122T223300Z-oauth-client-scopes': { up: oauthClientScopes },
  '20261122T224200Z-app-errors': { up: appErrors },
  '20261122T232900Z-rate-limits': { up: rateLimits },
  '20261123T013000Z-account-owners': { up: accountOwners, transaction: false },
  '20261123T050000Z-client-profile': { up: clientProfile },
  '20261123T051000Z-mcp-tokens': { up: mcpTokens },
  '20261123T052000Z-connect-sessions': { up: connectSessions },
  '20261123T053000Z-deleted-applications': { up: deletedApplications },
  '20261123T090000Z-change-notices': { up: changeNotices },
  '20261123T091000Z-account-notices': { up: accountNotices },
  '20261123T141000Z-request-ids': { up: requestIds },
  '20261123T142000Z-call-hours': { up: callHours },
  '20261123T143000Z-account-lists': { up: accountLists, transaction: false },
  '20261123T153000Z-audit-log': { up: auditLog },
  '20261126T063000Z-answer-quotas': { up: answerQuotas },
  '20261126T080000Z-chosen-defaults': { up: chosenDefaults, transaction: false },
  '20261126T082000Z-share-learning': { up: shareLearning },
  '20261126T082100Z-prompt-ages': { up: promptAges },
  '20261126T082200Z-prompt-users': { up: promptUsers, transaction: false },
  '20261126T130000Z-ended-rights': { up: endedRights },
  '20261126T130100Z-mcp-token-makers': { up: mcpTokenMakers },
  '20261126T132100Z-sessions-of-users': { up: sessionsOfUsers, transaction: false },
  '20261126T134100Z-audit-origin': { up: auditOrigin },
  '20261126T150000Z-mcp-token-people': { up: mcpTokenPeople, transaction: false },
  '20261126T170000Z-pending-accounts-of-users': { up: pendingAccountsOfUsers, transaction: false },
  '20261126T170300Z-body-quotas': { up: bodyQuotas },
  '20261126T180000Z-ended-versions': { up: endedVersions },
  '20261126T180100Z-mcp-token-rights': { up: mcpTokenRights },
  '20261126T180400Z-connect-link-makers': { up: connectLinkMakers, transaction: false },
  '20261126T180600Z-audit-reads': { up: auditReads, transaction: false },
  '20261126T200000Z-process-reach': { up: processReach },
  '20261127T003000Z-mcp-sign-in': { up: mcpSignIn },
  '20261127T003100Z-mcp-grants': { up: mcpGrants },
  '20261127T010000Z-use-model': { up: useModel },
  '20261127T013000Z-mcp-sign-in-settings': { up: mcpSignInSettings },
  '20261127T020000Z-policies': { up: policies },
  '20261127T021000Z-mcp-openid': { up: mcpOpenid },
  '20261127T060000Z-event-outbox': { up: eventOutbox },
  '20261127T061000Z-approvals': { up: approvals },
  '20261127T062000Z-token-rules': { up: tokenRules },
  '20261127T070000Z-pending-approvals': { up: pendingApprovals, transaction: false },
  '20261127T090000Z-approval-tokens': { up: approvalTokens },
  '20261128T100000Z-connect-pages': { up: connectPages },
  '20261128T103000Z-mcp-clients-by-hand': { up: mcpClientsByHand },
  '20261128T103100Z-mcp-clients-of-applications': { up: mcpClientsOfApplications, transaction: false },
  '20261128T104500Z-approval-files': { up: approvalFiles },
  '20261128T110000Z-function-phrasings': { up: functionPhrasings },
  '20261128T111500Z-connect-languages': { up: connectLanguages },
  '20261129T080000Z-call-tokens': { up: callTokens },
  '20261129T160000Z-outbox-traces': { up: outboxTraces },
  '20261129T170000Z-user-names-of-links': { up: userNamesOfLinks },
  '20261129T230000Z-suspensions': { up: suspensions },
  '20261130T061000Z-refused-calls': { up: refusedCalls },
}
