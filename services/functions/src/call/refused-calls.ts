import { ERROR_STATUS } from '@onward/contract'
import { type Log, openBatch, type RateLimits, refusalOf, timeOfUuid } from '@onward/runtime'
import { insertRefusedCalls, type RefusedCall } from '../db/refused-calls.ts'
import type { Db } from '../db/tables.ts'

/** Stores calls that were refused before a call attempt. They are no tasks. */
export type RefusedCalls = {
  /** Stores a refused call soon, or counts it as not stored. The caller must be authenticated. */
  add(call: Refused, err: unknown): void
  /** Resolves when no write is in flight. */
  idle(): Promise<void>
}

type Refused = Pick<RefusedCall, 'appKey' | 'userId' | 'functionName' | 'app' | 'via' | 'requestId' | 'tokenId'>

/** How many refused calls of a user and of an application are stored each minute. */
const USER_QUOTA = 30
const APPLICATION_QUOTA = 120
const FLUSH_MAX = 500
const WAITING_MAX = 1_000
/** How many characters are stored of a name or a message, and of all details together. */
const TEXT_MAX = 2_000
const DETAILS_MAX = 4_000

type Parts = {
  readonly db: Db
  readonly newId: () => string
  readonly rateLimits: Pick<RateLimits, 'take'>
  readonly metrics: { readonly refusedNotStored: { inc(calls?: number): void } }
  readonly log: Log
}

/** A flood of refused calls loads the database no more than the quotas above allow: what exceeds them is only counted. */
export function openRefusedCalls({ db, newId, rateLimits, metrics, log }: Parts): RefusedCalls {
  /** By App-Key: how many were not stored since the last row. */
  const unstored = new Map<string, number>()
  let waiting = 0

  const batch = openBatch<RefusedCall>(FLUSH_MAX, async (calls) => {
    try {
      await insertRefusedCalls(db, calls)
    } catch (err) {
      log.warn({ err, calls: calls.length }, 'refused calls could not be stored')
      metrics.refusedNotStored.inc(calls.length)
      for (const { appKey, unstored: before } of calls) drop(appKey, before + 1)
    }
    waiting -= calls.length
  })

  function drop(appKey: string, calls: number): void {
    unstored.set(appKey, (unstored.get(appKey) ?? 0) + calls)
  }

  function mayStore(appKey: string, userId: string): boolean {
    const limits = [
      { name: 'refused-application', key: appKey, quota: APPLICATION_QUOTA },
      { name: 'refused-user', key: `${appKey}/${userId}`, quota: USER_QUOTA },
    ] as const
    return waiting < WAITING_MAX && rateLimits.take(limits)
  }

  return {
    add(call, err) {
      const { appKey, userId } = call
      if (!mayStore(appKey, userId)) {
        metrics.refusedNotStored.inc()
        return drop(appKey, 1)
      }
      const { code, message, details, extras } = refusalOf(err)
      const id = newId()
      waiting++
      void batch.add({
        id,
        ...call,
        functionName: shortened(call.functionName),
        refusedAt: timeOfUuid(id),
        status: ERROR_STATUS[code],
        code,
        message: shortened(message),
        details: firstOf(details),
        approvalId: extras.approval?.id ?? null,
        unstored: unstored.get(appKey) ?? 0,
      })
      unstored.delete(appKey)
    },
    idle: batch.idle,
  }
}

/** Returns the first details that have at most 4,000 characters together. If some were left out, the last one says so. */
function firstOf(details: readonly string[]): string[] {
  const kept: string[] = []
  let length = 0
  for (const text of details.map(shortened)) {
    length += text.length
    if (length > DETAILS_MAX) return [...kept, `body: has ${details.length - kept.length} more problems, which were not stored`]
    kept.push(text)
  }
  return kept
}

/** Returns a text that Postgres can store, of at most 2,000 characters. One that was cut ends with an ellipsis. */
function shortened(text: string): string {
  const kept = text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`
  return kept.replace(/[\0\p{Surrogate}]/gu, '\ufffd')
}
