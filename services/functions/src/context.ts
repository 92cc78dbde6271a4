import type { ServiceAccess } from '@onward/access'
import type { ArgumentWeights } from '@onward/predict'
import type { Log, OutgoingClient, Queues, RateLimits, Reach, Sealer, Shares } from '@onward/runtime'
import type { Blocking } from './blocking/follow-blocking.ts'
import type { BodyQuota } from './call/body-quota.ts'
import type { KeyWrites } from './call/key-writes.ts'
import type { Ledger } from './call/ledger.ts'
import type { Sweeper } from './call/sweep.ts'
import type { ImportProcesses } from './catalog/import-processes.ts'
import type { LiveCatalog } from './catalog/live-catalog.ts'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import type { FunctionsMetrics } from './metrics.ts'
import type { Onward } from './onward/execute.ts'
import type { HeldAccounts } from './onward/held-accounts.ts'
import type { Renewals } from './onward/renewals.ts'
import type { Model } from './predict/model/model.ts'
import type { OptionCache } from './predict/names/options.ts'
import type { LearntPast } from './predict/past.ts'
import type { ServedApplications } from './served-applications.ts'
import type { RecentCalls } from './statistics/recent-calls.ts'

/** The parts of the running service. `openContext` opens them; a stage receives only the parts that it uses. */
export type Context = {
  readonly config: Config
  /** Identifies this process in the rows that it owns: call attempts, leases and idempotency records. */
  readonly processId: string
  readonly db: Db
  /** For statements that may take longer than the 5 s of `db`. */
  readonly slowDb: Db
  readonly queues: Queues
  readonly sealer: Sealer
  readonly applications: ServedApplications
  readonly accounts: HeldAccounts
  readonly catalog: LiveCatalog
  readonly importProcesses: ImportProcesses
  readonly onward: Onward
  /** The bytes that the requests in progress hold. See `admit.ts`. */
  readonly memory: Shares
  readonly oauth: {
    /** Sends token requests to the OAuth servers of apps. */
    readonly client: OutgoingClient
    readonly reach: Reach
    readonly renewals: Renewals
  }
  readonly newCallId: Sweeper['newCallId']
  readonly ledger: Ledger
  readonly bodyQuota: BodyQuota
  readonly keyWrites: KeyWrites
  /** Counts the calls of the last hours. */
  readonly recentCalls: () => Promise<RecentCalls>
  readonly blocking: Blocking
  readonly prediction: {
    /** Undefined when no model server is configured. */
    readonly model: Model | undefined
    readonly past: LearntPast
    /** The learnt weights for `predictArguments`. */
    readonly argumentWeights: ArgumentWeights
    readonly options: OptionCache
    /** Prepares the process for predicting arguments. Takes about half a second on its first use, in which other requests are served. */
    warmUp(): Promise<void>
  }
  readonly rateLimits: RateLimits
  readonly access: ServiceAccess
  readonly metrics: FunctionsMetrics
  readonly log: Log
  /** Ends the onward calls in flight, waits until all calls are recorded and published, then closes all parts. */
  close(): Promise<void>
}
