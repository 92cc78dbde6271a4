import type { ServiceAccess } from '@onward/access'
import type { BlockingJob, EndedRightsJob, ResendJob } from '@onward/contract'
import type { Log, Metrics, Poster, Queue, Queues, RateLimits, RequestSeconds, Sealer, Tracing } from '@onward/runtime'
import type { Config } from './config.ts'
import type { Db } from './db/tables.ts'
import type { Counters } from './metrics.ts'
import type { OidcProvider } from './people/oidc.ts'
import type { RunFollowUp } from './usage/follow-up.ts'
import type { DeliveryJob } from './webhooks/queue.ts'
import type { SigningKeys } from './webhooks/signing-secrets.ts'

/** The parts of the running service. Functions below the routes declare only the few parts that they use. */
export type Context = {
  readonly config: Config
  readonly log: Log
  /** Undefined if no traces are sent. */
  readonly tracing: Tracing | undefined
  readonly db: Db
  /** For statements that may take longer than the 5 s of `db`. */
  readonly slowDb: Db
  readonly sealer: Sealer
  readonly signingKeys: SigningKeys
  readonly queues: Queues
  /** The queue of task events, to see how many wait. Functions adds to it. */
  readonly taskQueue: Queue<unknown>
  readonly deliveryQueue: Queue<DeliveryJob>
  readonly blockingQueue: Queue<BlockingJob>
  readonly resendQueue: Queue<ResendJob>
  readonly endedRightsQueue: Queue<EndedRightsJob>
  readonly poster: Poster
  readonly rateLimits: RateLimits
  readonly access: ServiceAccess
  /** Undefined if people sign in with one-time links only. */
  readonly oidc: OidcProvider | undefined
  /** What the internal port shows at `/metrics`, with the times of requests. */
  readonly metrics: { readonly registry: Metrics; readonly requestSeconds: RequestSeconds }
  readonly counters: Counters
  /** Sends what a committed transaction left to do: webhooks, and changes of blocked users. */
  readonly runFollowUp: RunFollowUp
}
