import { Refusal, type Share, type Shares } from '@onward/runtime'
import type { Request, RequestHandler, Response } from 'express'

/**
 * The bytes that count for each request, besides its body and response: for its objects, its connections, and the beginning of its response. A
 * call counts twice as much. One user gets at most a quarter of the memory, and so can make about 650 calls at once in a process.
 */
const REQUEST_BYTES = 24_576
/** The longest response that is sent. Text of an app that is written as JSON can be six times as long as before. */
export const MAX_SENT = 20 * 1_048_576
/** A call is made only if its user has room for a response of this size. `openLargeCalls` asks for more where responses are larger. */
export const RESPONSE_ROOM = 1_048_576
const RETRY_AFTER_SECONDS = 2

/**
 * Counts the bytes that a request holds until its connection has sent the whole response: for its body and for the response. Refuses a request
 * for which the share of its user or application has no room. `call` counts the responses of apps.
 */
export function admit(memory: Shares, bodyLimit: number): RequestHandler {
  return (req, res, next) => {
    // If the caller disconnected during the authentication, `close` came already, and the share would stay open.
    if (res.closed) return
    const share = memory.open(res.locals.caller)
    res.once('close', () => share.close())
    res.locals.share = share
    take(share, Math.min(bodyBytes(req, bodyLimit), bodyLimit))
    next()
  }
}

/** Counts a call of an app, and reserves `room` if it is more than RESPONSE_ROOM. Throws `too_much_in_flight` (429) if there is no such room. */
export function takeForCall(share: Share, room: number): void {
  if (room > RESPONSE_ROOM ? !share.reserve(room) : !share.hasRoom(RESPONSE_ROOM)) throw tooMuchInFlight()
  take(share, 0)
}

function take(share: Share, bodyBytes: number): void {
  if (!share.take(REQUEST_BYTES + bodyBytes)) throw tooMuchInFlight()
}

export function tooMuchInFlight(): Refusal {
  const text =
    'the requests in progress of this user or application use up their share of memory; nothing was called; retry in a few seconds'
  return new Refusal('too_much_in_flight', text, [], { retryAfterSeconds: RETRY_AFTER_SECONDS })
}

/** Returns how long the body can become; `limit` if the headers do not say it. */
function bodyBytes({ headers }: Request, limit: number): number {
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return limit
  return Number(headers['content-length'] ?? 0)
}

/** Counts a response in the share of its request. Throws `too_much_in_flight` (429) if there is no room for it. */
export function countResponse(res: Response, bytes: number): void {
  const share: Share | undefined = res.locals.share
  if (share === undefined || bytes <= REQUEST_BYTES) return
  if (bytes > MAX_SENT) throw new Refusal('upstream_invalid', 'the response is too large as JSON; the call may have taken effect')
  // A call that was made is answered even if there is no room: `call` has just given back the memory of the response.
  if (isExecutedCall(res)) share.force(bytes)
  else if (!share.take(bytes)) throw tooMuchInFlight()
}

function isExecutedCall(res: Response): boolean {
  return res.locals.executed === true || (res.get('X-Call-ID') !== undefined && res.get('Idempotency-Replayed') === undefined)
}
