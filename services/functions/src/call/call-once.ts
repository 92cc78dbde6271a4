import { createHash } from 'node:crypto'
import { objectOf } from '@onward/catalog'
import { ERROR_STATUS, type ErrorBody } from '@onward/contract'
import { type Log, Refusal, type Sealer } from '@onward/runtime'
import { beginWithKey, claimKey, type IdempotencyScope, releaseKey, storeAnswer } from '../db/idempotency.ts'
import type { Db } from '../db/tables.ts'
import type { CallHooks } from './call.ts'

/** The answer to a request, and the id of its call. `replayed` says whether it is the stored answer of an earlier request. */
export type Answered = { readonly callId: string; readonly status: number; readonly body: unknown; readonly replayed: boolean }

/** A request with an Idempotency-Key. Requests are the same when `request` is equal; the order of object keys does not matter. */
export type Keyed = { readonly scope: IdempotencyScope; readonly request: unknown; readonly callId: string }

type Parts = { readonly db: Db; readonly sealer: Sealer; readonly processId: string; readonly log: Log }

type Run = (hooks: CallHooks) => Promise<unknown>

/**
 * Executes a call at most once per Idempotency-Key. The first request executes it; the same request within 24 hours gets the stored answer.
 * A call that was not sent releases the key. Throws:
 * - `idempotency_conflict` when the key was used with a different request
 * - `idempotency_in_progress` while the first request is running
 * - `outcome_unknown` when the call may have been sent, but its answer was lost
 */
export async function callOnce(parts: Parts, { scope, request, callId }: Keyed, run: Run): Promise<Answered> {
  if (!/^[\x21-\x7e]{1,255}$/.test(scope.key)) {
    throw new Refusal('invalid_parameters', 'the Idempotency-Key is not valid', [
      'Idempotency-Key: must be 1 to 255 visible ASCII characters',
    ])
  }
  const requestHash = createHash('sha256')
    .update(JSON.stringify(sortKeys(request)))
    .digest()
  const claim = await claimKey(parts.db, scope, { requestHash, callId, processId: parts.processId })
  switch (claim.state) {
    case 'claimed':
      return await runAndStore(parts, scope, callId, run)
    case 'answered': {
      const body: unknown = JSON.parse(parts.sealer.open(claim.sealedAnswer, sealingRow(claim.callId)))
      return { callId: claim.callId, status: claim.status, body, replayed: true }
    }
    case 'conflict':
      throw new Refusal('idempotency_conflict', 'this Idempotency-Key was used with a different request; use a new key')
    case 'running':
      throw inProgress()
    case 'lost':
      throw new Refusal(
        'outcome_unknown',
        'the call with this Idempotency-Key was started and may have taken effect, but its answer was lost',
      )
  }
}

async function runAndStore(parts: Parts, scope: IdempotencyScope, callId: string, run: Run): Promise<Answered> {
  let begun = false
  let answer: Answered
  try {
    const body = await run({
      // If this process was suspended for a long time, it counted as dead, and another process may have claimed the key.
      async confirm() {
        if (!(await beginWithKey(parts.db, scope, callId))) throw inProgress()
      },
      begun() {
        begun = true
      },
    })
    answer = { callId, status: 200, body, replayed: false }
  } catch (err) {
    const refusal = executedRefusal(err)
    if (refusal === undefined) {
      if (!begun || isUnsent(err)) await release(parts, scope, callId)
      throw err
    }
    answer = { callId, status: ERROR_STATUS[refusal.code], body: bodyOf(refusal), replayed: false }
  }
  const sealed = parts.sealer.seal(JSON.stringify(answer.body), sealingRow(callId))
  await storeAnswer(parts.db, scope, callId, answer.status, sealed).catch((err: unknown) => {
    parts.log.warn({ err, callId }, 'the answer to a request with an Idempotency-Key could not be stored')
  })
  return answer
}

function inProgress(): Refusal {
  return new Refusal('idempotency_in_progress', 'the first request with this Idempotency-Key is still running; retry in a few seconds')
}

/** Releases the key. If this fails, the key stays claimed: for 24 hours, or until this process ends if the call had not begun. */
async function release(parts: Parts, scope: IdempotencyScope, callId: string): Promise<void> {
  await releaseKey(parts.db, scope, callId).catch((err: unknown) =>
    parts.log.warn({ err, callId }, 'an Idempotency-Key could not be released'),
  )
}

function isUnsent(err: unknown): boolean {
  return err instanceof Refusal && err.code === 'upstream_unreachable'
}

/** Returns the refusal if it is about a call that was sent. */
function executedRefusal(err: unknown): Refusal | undefined {
  return err instanceof Refusal && (err.code === 'upstream_timeout' || err.code === 'upstream_invalid') ? err : undefined
}

function bodyOf({ code, message, details }: Refusal): ErrorBody {
  return { error: message, error_details: [...details], code }
}

function sealingRow(callId: string): string {
  return `idempotency_record/${callId}`
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return objectOf(entries.map(([key, item]) => [key, sortKeys(item)]))
}
