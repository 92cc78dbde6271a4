import type { ServiceAccess } from '@onward/access'
import type { Log, Queues, RateLimits, Sealer, Shares, Tracing } from '@onward/runtime'
import type { Blocking } from './blocking/follow-blocking.ts'
import type { Calls } from './call/open-calls.ts'
import type { LiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import type { FunctionsMetrics } from './metrics.ts'
import type { HeldAccounts } from './onward/held-accounts.ts'
import type { Outgoing } from './onward/open-outgoing.ts'
import type { Prediction } from './predict/open-prediction.ts'
import type { ServedApplications } from './served-applications.ts'
import type { RecentCalls } from './statistics/recent-calls.ts'

/** The parts of the running service. `openContext` opens them; a stage receives only the parts that it uses. */
export type Context = Outgoing & {
  readonly config: Config
  readonly db: Db
  /** For statements that may take longer than the 5 s of `db`. */
  readonly slowDb: Db
  readonly queues: Queues
  readonly sealer: Sealer
  readonly applications: ServedApplications
  readonly accounts: HeldAccounts
  readonly catalog: LiveCatalog
  /** The bytes that the requests in progress hold. See `admit.ts`. */
  readonly memory: Shares
  readonly calls: Calls
  /** Counts the calls of the last hours. */
  readonly recentCalls: () => Promise<RecentCalls>
  readonly blocking: Blocking
  readonly prediction: Prediction
  readonly rateLimits: RateLimits
  readonly access: ServiceAccess
  readonly metrics: FunctionsMetrics
  /** Undefined if no traces are sent. */
  readonly tracing: Tracing | undefined
  readonly log: Log
}
