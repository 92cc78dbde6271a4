import { createHash } from 'node:crypto'
import { objectOf } from '@onward/catalog'
import { ERROR_STATUS, type ErrorBody } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import type { Context } from '../context.ts'
import { beginWithKey, claimKey, type IdempotencyScope, releaseKey, storeAnswer } from '../db/idempotency.ts'
import type { CallSteps } from './call.ts'

/** What a caller was told: the answer's status and body, for the call with this id. `replayed` when it was told before. */
export type Told = { readonly callId: string; readonly status: number; readonly body: unknown; readonly replayed: boolean }

/** What `request` holds decides, whatever the order of its keys, whether two requests are the same. */
export type Keyed = { readonly scope: IdempotencyScope; readonly request: unknown; readonly callId: string }

type Run = (steps: CallSteps) => Promise<unknown>

/**
 * Makes a call at most once per Idempotency-Key: the first request makes it, the same one within 24 hours is told what the first was told. Throws
 * `idempotency_conflict` when the key came with another request before, `idempotency_in_progress` while the first is running, and
 * `outcome_unknown` when its process died. Refusals are not kept: nothing was done, so the key is free again.
 */
export async function callOnce(ctx: Context, { scope, request, callId }: Keyed, run: Run): Promise<Told> {
  if (!/^[\x21-\x7e]{1,255}$/.test(scope.key)) {
    throw new Refusal('invalid_parameters', 'the Idempotency-Key is not valid', [
      'Idempotency-Key: must be 1 to 255 visible ASCII characters',
    ])
  }
  const requestHash = createHash('sha256')
    .update(JSON.stringify(inOrder(request)))
    .digest()
  const claim = await claimKey(ctx.db, scope, { requestHash, callId, processId: ctx.processId })
  switch (claim.state) {
    case 'claimed':
      return await runAndKeep(ctx, scope, callId, run)
    case 'answered': {
      const body: unknown = JSON.parse(ctx.sealer.open(claim.sealedAnswer, rowOf(claim.callId)))
      return { callId: claim.callId, status: claim.status, body, replayed: true }
    }
    case 'conflict':
      throw new Refusal('idempotency_conflict', 'this Idempotency-Key was sent with another request; take a new one')
    case 'running':
      throw inProgress()
    case 'lost':
      throw new Refusal('outcome_unknown', 'the call with this Idempotency-Key was begun, and may have taken effect; its answer was lost')
  }
}

async function runAndKeep(ctx: Context, scope: IdempotencyScope, callId: string, run: Run): Promise<Told> {
  let begun = false
  let told: Told
  try {
    const body = await run({
      // A process that stood still for long may have lost the key to another one.
      async confirm() {
        if (!(await beginWithKey(ctx.db, scope, callId))) throw inProgress()
      },
      begun() {
        begun = true
      },
    })
    told = { callId, status: 200, body, replayed: false }
  } catch (err) {
    const refusal = executedRefusal(err)
    if (refusal === undefined) {
      if (!begun || isUnsent(err)) await release(ctx, scope, callId)
      throw err
    }
    told = { callId, status: ERROR_STATUS[refusal.code], body: bodyOf(refusal), replayed: false }
  }
  const sealed = ctx.sealer.seal(JSON.stringify(told.body), rowOf(callId))
  await storeAnswer(ctx.db, scope, callId, told.status, sealed).catch((err: unknown) => {
    ctx.log.warn({ err, callId }, 'the answer to a request with an Idempotency-Key could not be kept')
  })
  return told
}

function inProgress(): Refusal {
  return new Refusal('idempotency_in_progress', 'the first request with this Idempotency-Key is still running; try again')
}

/** A key that can't be released is free again after a day, or when this process has ended. */
async function release(ctx: Context, scope: IdempotencyScope, callId: string): Promise<void> {
  await releaseKey(ctx.db, scope, callId).catch((err: unknown) => ctx.log.warn({ err, callId }, 'an Idempotency-Key could not be released'))
}

function isUnsent(err: unknown): boolean {
  return err instanceof Refusal && err.code === 'upstream_unreachable'
}

/** A refusal that tells of a call which was made. */
function executedRefusal(err: unknown): Refusal | undefined {
  return err instanceof Refusal && (err.code === 'upstream_timeout' || err.code === 'upstream_invalid') ? err : undefined
}

function bodyOf({ code, message, details }: Refusal): ErrorBody {
  return { error: message, error_details: [...details], code }
}

function rowOf(callId: string): string {
  return `idempotency_record/${callId}`
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return objectOf(entries.map(([key, item]) => [key, inOrder(item)]))
}
