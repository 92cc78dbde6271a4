import type { Migrations } from '@onward/runtime'
import { up as firstSchema } from './20261122T000000Z-first-schema.ts'
import { up as reconciliation } from './20261122T183500Z-reconciliation.ts'
import { up as queueSettings } from './20261122T192000Z-queue-settings.ts'
import { up as boundingIndexes } from './20261122T192100Z-bounding-indexes.ts'
import { up as rateLimit } from './20261122T223300Z-rate-limit.ts'
import { up as deletedApplications } from './20261123T053000Z-deleted-applications.ts'
import { up as listeners } from './20261123T054000Z-listeners.ts'
import { up as attemptResponses } from './20261123T150000Z-attempt-responses.ts'
import { up as replays } from './20261123T151000Z-replays.ts'
import { up as lookupIndexes } from './20261123T151100Z-lookup-indexes.ts'
import { up as embedOrigins } from './20261123T152000Z-embed-origins.ts'
import { up as auditLog } from './20261123T153000Z-audit-log.ts'
import { up as people } from './20261123T154500Z-people.ts'
import { up as personIdentities } from './20261123T182000Z-person-identities.ts'
import { up as embedSessions } from './20261123T184500Z-embed-sessions.ts'
import { up as apiKeyScopes } from './20261126T070500Z-api-key-scopes.ts'
import { up as embedSessionKeys } from './20261126T070600Z-embed-session-keys.ts'
import { up as auditOrigin } from './20261126T134100Z-audit-origin.ts'
import { up as signInLinksOfPeople } from './20261126T170100Z-sign-in-links-of-people.ts'
import { up as newUsers } from './20261126T170200Z-new-users.ts'
import { up as rightsVersions } from './20261126T180200Z-rights-versions.ts'
import { up as endedRights } from './20261126T180300Z-ended-rights.ts'
import { up as embedSessionMakers } from './20261126T180500Z-embed-session-makers.ts'
import { up as auditReads } from './20261126T180600Z-audit-reads.ts'
import { up as processes } from './20261126T200000Z-processes.ts'
import { up as reconcileRuns } from './20261126T214000Z-reconcile-runs.ts'
import { up as receivedEvents } from './20261127T061000Z-received-events.ts'
import { up as restored } from './20261129T121000Z-restored.ts'
import { up as deliveryTrace } from './20261129T160000Z-delivery-trace.ts'
import { up as maskedKeys } from './20261129T171000Z-masked-keys.ts'

export const migrations: Migrations = {
  '20261122T000000Z-first-schema': { up: firstSchema },
  '20261122T183500Z-reconciliation': { up: reconciliation },
  '20261122T192000Z-queue-settings': { up: queueSettings },
  '20261122T192100Z-bounding-indexes': { up: boundingIndexes, transaction: false },
  '20261122T223300Z-rate-limit': { up: rateLimit },
  '20261123T053000Z-deleted-applications': { up: deletedApplications },
  '20261123T054000Z-listeners': { up: listeners },
  '20261123T150000Z-attempt-responses': { up: attemptResponses },
  '20261123T151000Z-replays': { up: replays },
  '20261123T151100Z-lookup-indexes': { up: lookupIndexes, transaction: false },
  '20261123T152000Z-embed-origins': { up: embedOrigins },
  '20261123T153000Z-audit-log': { up: auditLog },
  '20261123T154500Z-people': { up: people },
  '20261123T182000Z-person-identities': { up: personIdentities },
  '20261123T184500Z-embed-sessions': { up: embedSessions },
  '20261126T070500Z-api-key-scopes': { up: apiKeyScopes },
  '20261126T070600Z-embed-session-keys': { up: embedSessionKeys },
  '20261126T134100Z-audit-origin': { up: auditOrigin },
  '20261126T170100Z-sign-in-links-of-people': { up: signInLinksOfPeople, transaction: false },
  '20261126T170200Z-new-users': { up: newUsers },
  '20261126T180200Z-rights-versions': { up: rightsVersions },
  '20261126T180300Z-ended-rights': { up: endedRights },
  '20261126T180500Z-embed-session-makers': { up: embedSessionMakers },
  '20261126T180600Z-audit-reads': { up: auditReads, transaction: false },
  '20261126T200000Z-processes': { up: processes },
  '20261126T214000Z-reconcile-runs': { up: reconcileRuns },
  '20261127T061000Z-received-events': { up: receivedEvents },
  '20261129T121000Z-restored': { up: restored },
  '20261129T160000Z-delivery-trace': { up: deliveryTrace },
  '20261129T171000Z-masked-keys': { up: maskedKeys },
}
