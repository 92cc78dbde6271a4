import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip, constants as zlib } from 'node:zlib'
import { sortKeys } from '@onward/catalog'
import { ERROR_STATUS, type ErrorBody } from '@onward/contract'
import { writeJson } from '@onward/json'
import { inTime, isStorable, Refusal, type Sealer } from '@onward/runtime'
import type { Config } from '../config.ts'
import { beginWithKey, claimKey, type HeldKey, type IdempotencyScope } from '../db/idempotency.ts'
import type { Db } from '../db/tables.ts'
import { type Lifecycle, openLifecycle } from './call.ts'
import type { Called } from './called.ts'
import type { Calls } from './open-calls.ts'

/** How long a request waits for the statement that claims its key, and for the statement that confirms the claim. */
const CLAIM_MS = 5_000

/** The longest body that is stored, in bytes of JSON. */
const STORED_MAX = 1_048_576
/** Longer bodies are compressed before they are stored. */
const COMPRESSED_FROM = 4_096

const compress = promisify<string, { level: number }, Buffer>(gzip)
const decompress = promisify<Buffer, Buffer>(gunzip)

/**
 * The response to a request, and the id of its call. `json` is the body as JSON text. `replayed` says whether it is the stored response of an
 * earlier request, or the error `answer_not_stored`.
 */
type Answered = { readonly callId: string; readonly status: number; readonly json: string; readonly replayed: boolean }

/** A request with an Idempotency-Key. Requests are the same when `request` is equal; the order of object keys does not matter. */
type Keyed = { readonly scope: IdempotencyScope; readonly request: unknown; readonly callId: string }

type Parts = {
  readonly db: Db
  readonly sealer: Sealer
  readonly calls: Pick<Calls, 'processId' | 'keyWrites'>
  readonly config: Pick<Config, 'callTimeoutMs'>
}

/** Executes the call. */
type Run = (lifecycle: Lifecycle) => Promise<Called>
/** Returns the body of the response as JSON text. */
type Write = (called: Called) => string

/**
 * Executes a call at most once per Idempotency-Key. The first request executes it; the same request within 24 hours gets the stored response,
 * or the error `answer_not_stored` if the response was too large or the day's quota was used up. A call that was not sent releases the key.
 * Throws:
 * - `idempotency_conflict` when the key was used with a different request
 * - `idempotency_in_progress` while the first request is running
 * - `outcome_unknown` when the call may have been sent, but its response was lost
 */
export async function callOnce(parts: Parts, { scope, request, callId }: Keyed, run: Run, write: Write): Promise<Answered> {
  if (!/^[\x21-\x7e]{1,255}$/.test(scope.key)) {
    throw new Refusal('invalid_parameters', 'the Idempotency-Key is not valid', [
      'Idempotency-Key: must be 1 to 255 visible ASCII characters',
    ])
  }
  // The release of a key whose function name cannot be stored would fail for ever.
  if (!isStorable(scope.functionName)) throw new Refusal('function_not_found', 'there is no such function')
  const requestHash = createHash('sha256')
    .update(writeJson(sortKeys(request)))
    .digest()
  const held = { ...scope, callId }
  const claimant = { requestHash, callId, processId: parts.calls.processId, takeOverMs: takeOverMs(parts.config) }
  const claiming = claimKey(parts.db, scope, claimant)
  const claim = await inTime(CLAIM_MS, claiming, refuseUnstoredKey).catch((err: unknown) => {
    // The claim may have been committed although its acknowledgement was lost. If it is still running, it may be committed later.
    void claiming.catch(() => {}).then(() => parts.calls.keyWrites.release(held))
    throw err
  })
  switch (claim.state) {
    case 'claimed':
      return await runAndStore(parts, held, run, write)
    case 'answered': {
      if (claim.sealedResponse === null) return { ...refusedResponse(claim.callId, notStored()), replayed: true }
      const json = await unpack(parts.sealer.openBytes(claim.sealedResponse, sealingRow(claim.callId)))
      return { callId: claim.callId, status: claim.status, json, replayed: true }
    }
    case 'conflict':
      throw new Refusal('idempotency_conflict', 'this Idempotency-Key was used with a different request; use a new key')
    case 'running':
      throw inProgress()
    case 'lost':
      throw new Refusal(
        'outcome_unknown',
        'the call with this Idempotency-Key was started and may have taken effect, but its response was lost',
      )
  }
}

/**
 * Returns the age, in ms, from which another request may take over a claim whose call has not begun. Without this, a key would stay claimed
 * if the statement that claims it stalls in the network and runs after the key was released. The age is longer than a call waits for its
 * files and its token before it begins.
 */
function takeOverMs({ callTimeoutMs }: Pick<Config, 'callTimeoutMs'>): number {
  return 60_000 + 2 * callTimeoutMs
}

async function runAndStore(parts: Parts, held: HeldKey, run: Run, write: Write): Promise<Answered> {
  // Another request may have taken over the key: preparing the call took long, or this process counted as dead because it was suspended.
  const lifecycle = openLifecycle(async () => {
    if (!(await inTime(CLAIM_MS, beginWithKey(parts.db, held), refuseUnstoredKey))) throw inProgress()
  })
  try {
    return await storeResult(parts, held, () => run(lifecycle).then(write), lifecycle)
  } catch (err) {
    const { unrecorded } = lifecycle
    // The caller got 503, but the call was made; a retry with the key gets its response.
    if (unrecorded !== undefined) void storeResult(parts, held, async () => write(unrecorded()), lifecycle).catch(() => {})
    throw err
  }
}

/** Waits for the result of a call and stores the response for its key. If nothing was sent, releases the key and throws. */
async function storeResult(parts: Parts, held: HeldKey, result: () => Promise<string>, lifecycle: Lifecycle): Promise<Answered> {
  const { callId } = held
  let response: Answered
  try {
    response = { callId, status: 200, json: await result(), replayed: false }
  } catch (err) {
    const refusal = executedRefusal(err)
    if (refusal === undefined) {
      if (!lifecycle.begun || isUnsent(err)) await parts.calls.keyWrites.release(held)
      throw err
    }
    response = { ...refusedResponse(callId, refusal), replayed: false }
  }
  const packed = await pack(response.json)
  const sealed = packed === null ? null : parts.sealer.seal(packed, sealingRow(callId))
  await parts.calls.keyWrites.store({ held, status: response.status, sealed })
  return response
}

/** Returns what is stored of a body; null if the body is too long. */
async function pack(json: string): Promise<string | Buffer | null> {
  const bytes = Buffer.byteLength(json)
  if (bytes > STORED_MAX) return null
  return bytes < COMPRESSED_FROM ? json : await compress(json, { level: zlib.Z_BEST_SPEED })
}

async function unpack(stored: Buffer): Promise<string> {
  // JSON cannot begin with the first byte of gzip.
  const bytes = stored[0] === 0x1f ? await decompress(stored) : stored
  return bytes.toString()
}

function notStored(): Refusal {
  const text =
    'the call with this Idempotency-Key was executed, but its response was too large to store, or too many responses were stored today'
  return new Refusal('answer_not_stored', text)
}

function inProgress(): Refusal {
  return new Refusal('idempotency_in_progress', 'the first request with this Idempotency-Key is still running; retry in a few seconds')
}

function refuseUnstoredKey(): never {
  throw new Refusal('unavailable', 'the Idempotency-Key could not be stored in time, so nothing was sent; retry in a few seconds')
}

function isUnsent(err: unknown): boolean {
  return err instanceof Refusal && err.code === 'upstream_unreachable'
}

/** Returns the error if it refuses a call that was sent, so that it is stored as the response; otherwise undefined. */
function executedRefusal(err: unknown): Refusal | undefined {
  return err instanceof Refusal && (err.code === 'upstream_timeout' || err.code === 'upstream_invalid') ? err : undefined
}

function refusedResponse(callId: string, { code, message, details }: Refusal): Omit<Answered, 'replayed'> {
  const body: Omit<ErrorBody, 'request_id'> = { error: message, error_details: [...details], code }
  return { callId, status: ERROR_STATUS[code], json: JSON.stringify(body) }
}

function sealingRow(callId: string): string {
  return `idempotency_record/${callId}`
}
