import { TASK_QUEUE, type TaskConsumed, type TaskConsumedJob, taskConsumed, taskConsumedJob } from '@onward/contract'
import {
  compileCheck,
  isDataError,
  isStorable,
  isUuid,
  onFirstUse,
  openBatch,
  type Span,
  type SpanOptions,
  type Tracing,
} from '@onward/runtime'
import { insertQuarantine, type Rejected, WHOLE_JOB } from '../db/quarantine.ts'
import type { Db } from '../db/tables.ts'
import { keyText } from '../db/users.ts'
import type { Counters } from '../metrics.ts'
import { userIdProblem } from '../rules/ids.ts'
import { type Counted, countEvents, type Incoming } from './count.ts'
import { joinFollowUps, NO_FOLLOW_UP, type RunFollowUp } from './follow-up.ts'
import { TooManyDeliveries } from './levels.ts'

/**
 * Counts the events of a job, each once even if the job arrives several times. Puts events that cannot be counted into quarantine. Throws
 * when the database is unreachable; the queue then runs the job again.
 */
export type Ingest = (jobId: string, data: unknown) => Promise<void>

/** Maximum number of jobs that are counted together. */
export const MAX_JOBS = 8
/**
 * Usual maximum number of events in one transaction. Smaller transactions take more CPU time for each task. During a larger one, other
 * transactions wait longer for the locks of its users.
 */
const MAX_EVENTS = 2_000
/** One of two parts may be somewhat larger than `MAX_EVENTS`, because users have different numbers of events. */
const MAX_HALF = 2_500

/** The events of one job. `rejected` is set when they have been counted. */
type Work = { readonly events: readonly Incoming[]; rejected: Counted['rejected'] }
export type IngestParts = { readonly db: Db; readonly counters: Counters; readonly runFollowUp: RunFollowUp }
type TracedParts = IngestParts & { readonly tracing?: Tracing | undefined }

/**
 * Jobs that arrive during a count share the next one or two transactions. With a transaction per job, many small jobs of one busy user would
 * wait for each other's locks.
 */
export function openIngest(parts: TracedParts): Ingest {
  const counting = openBatch<Work>(MAX_JOBS, async (jobs) => {
    const all = jobs.flatMap(({ events }) => events)
    const { rejected } = await inSpans(parts.tracing, 'count task', {}, all, () => countAndFollowUp(parts, all))
    if (rejected.length === 0) return
    for (const job of jobs) {
      const events = new Set(job.events)
      job.rejected = rejected.filter(({ event }) => events.has(event))
    }
  })

  return async (jobId, data) => {
    const { valid, invalid } = readJob(data)
    const work: Work = { events: valid, rejected: [] }
    if (valid.length > 0) await inSpans(parts.tracing, `process ${TASK_QUEUE}`, { kind: 'consumer' }, valid, () => counting.add(work))
    const events = (data as { events?: unknown[] } | null | undefined)?.events
    const rejected = work.rejected.map(({ event: { position }, reason }) => ({ position, reason, event: events?.[position] }))
    parts.counters.quarantined.inc(await insertQuarantine(parts.db, jobId, [...invalid, ...rejected]))
  }
}

/**
 * Runs `work` in a span of each event that belongs to a trace, which becomes the event's `trace`. Many events share the work, so its
 * statements are in the first of these spans only.
 */
async function inSpans<T>(
  tracing: Tracing | undefined,
  name: string,
  options: SpanOptions,
  events: readonly Incoming[],
  work: () => Promise<T>,
): Promise<T> {
  if (tracing === undefined) return await work()
  const spans: Span[] = []
  for (const event of events) {
    if (event.trace === undefined) continue
    const span = tracing.start(name, { parent: event.trace, ...options })
    event.trace = span.traceparent
    spans.push(span)
  }
  const [first] = spans
  try {
    return first === undefined ? await work() : await tracing.run(first, work)
  } finally {
    for (const span of spans) span.end()
  }
}

/**
 * Counts events, runs the follow-up, and updates the metrics. Counts many events in two transactions at once, each for different users.
 * While Postgres executes a statement of one, this process prepares the other.
 */
export async function countAndFollowUp(parts: IngestParts, events: readonly Incoming[]): Promise<Counted> {
  if (events.length <= MAX_EVENTS) return await countPart(parts, events)
  // Wait for both even if one fails. Otherwise, the queue could retry the jobs while the other transaction runs.
  const [a, b] = await Promise.allSettled(halvesOf(events).map((half) => countPart(parts, half)))
  if (a?.status !== 'fulfilled') throw a?.reason
  if (b?.status !== 'fulfilled') throw b?.reason
  return joinCounted(a.value, b.value)
}

/** Splits events into two parts of about the same size. All events of a user are in one part. */
function halvesOf(events: readonly Incoming[]): [Incoming[], Incoming[]] {
  const halves: [Incoming[], Incoming[]] = [[], []]
  const halfOf = new Map<string, Incoming[]>()
  for (const event of events) {
    const user = keyText(event)
    const half = halfOf.get(user) ?? (halves[0].length <= halves[1].length ? halves[0] : halves[1])
    halfOf.set(user, half)
    half.push(event)
  }
  return halves
}

async function countPart({ db, counters, runFollowUp }: IngestParts, events: readonly Incoming[]): Promise<Counted> {
  const result = await countSplitting(db, events)
  await runFollowUp(result.followUp)
  counters.counted.inc(result.counted)
  counters.repeated.inc(result.repeated)
  counters.conflicting.inc(result.conflicting)
  return result
}

/**
 * Splits events into transactions. When the database rejects the data of a transaction, splits its events in halves until the invalid event
 * is alone. Also splits them when they would create too many deliveries. Does not split after a timeout: the cause is a lock or a busy
 * database, so the halves would wait as long.
 */
async function countSplitting(db: Db, events: readonly Incoming[]): Promise<Counted> {
  const [only] = events
  if (only === undefined) return { counted: 0, repeated: 0, conflicting: 0, rejected: [], followUp: NO_FOLLOW_UP }
  if (events.length > MAX_HALF) return await countInParts(db, events, MAX_EVENTS)
  try {
    return await db.transaction().execute((tx) => countEvents(tx, events))
  } catch (err) {
    if (!isDataError(err) && !(err instanceof TooManyDeliveries)) throw err
    if (events.length > 1) return await countInParts(db, events, Math.ceil(events.length / 2))
    const rejected = [{ event: only, reason: `the database refuses it: ${(err as Error).message}` }]
    return { counted: 0, repeated: 0, conflicting: 0, rejected, followUp: NO_FOLLOW_UP }
  }
}

async function countInParts(db: Db, events: readonly Incoming[], firstSize: number): Promise<Counted> {
  const first = await countSplitting(db, events.slice(0, firstSize))
  return joinCounted(first, await countSplitting(db, events.slice(firstSize)))
}

function joinCounted(a: Counted, b: Counted): Counted {
  return {
    counted: a.counted + b.counted,
    repeated: a.repeated + b.repeated,
    conflicting: a.conflicting + b.conflicting,
    rejected: [...a.rejected, ...b.rejected],
    followUp: joinFollowUps(a.followUp, b.followUp),
  }
}

const checkJob = onFirstUse(() => compileCheck(taskConsumedJob, 'strict'))
const checkEvent = onFirstUse(() => compileCheck(taskConsumed, 'strict'))

/** Splits the events of a job into events that can be counted, and events that cannot, with the reasons. */
export function readJob(data: unknown): { valid: Incoming[]; invalid: Rejected[] } {
  const problems = checkJob(data)
  if (problems.length > 0) return { valid: [], invalid: [{ position: WHOLE_JOB, event: data, reason: problems.join('; ') }] }
  const { events, traces } = data as { readonly events: readonly unknown[] } & Pick<TaskConsumedJob, 'traces'>
  const valid: Incoming[] = []
  const invalid: Rejected[] = []
  for (const [position, event] of events.entries()) {
    const reason = problemOf(event)
    if (reason === undefined) valid.push(incomingOf(event as TaskConsumed, position, traces))
    else invalid.push({ position, event, reason })
  }
  return { valid, invalid }
}

function problemOf(event: unknown): string | undefined {
  const problems = checkEvent(event)
  if (problems.length > 0) return problems.join('; ')
  const { id, app_key, user_id, function_name, occurred_at } = event as TaskConsumed
  if (!isUuid(id)) return 'id: must be a bare uuid'
  if (Number.isNaN(Date.parse(occurred_at))) return 'occurred_at: must be a time that exists'
  for (const [name, text] of Object.entries({ app_key, function_name })) {
    if (!isStorable(text)) return `${name}: must not hold NUL or half of a surrogate pair`
  }
  const problem = userIdProblem(user_id)
  return problem === undefined ? undefined : `user_id: ${problem}`
}

function incomingOf(event: TaskConsumed, position: number, traces: TaskConsumedJob['traces']): Incoming {
  const trace = traces?.[event.id]
  return {
    position,
    id: event.id.toLowerCase(),
    appKey: event.app_key,
    userId: event.user_id,
    functionName: event.function_name,
    occurredAt: new Date(event.occurred_at),
    trace: typeof trace === 'string' ? trace : undefined,
  }
}
