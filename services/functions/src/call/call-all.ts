import { Refusal } from '@onward/runtime'

/** Makes the calls of a batch: all at the same time, or each when the one before has ended. Returns the results in the order of the calls. */
export async function callAll<C, R>(calls: readonly C[], inOrder: boolean, callOne: (call: C, index: number) => Promise<R>): Promise<R[]> {
  if (!inOrder) return await Promise.all(calls.map(callOne))
  const results: R[] = []
  for (const [index, call] of calls.entries()) results.push(await callOne(call, index))
  return results
}

/** Throws `unavailable` after the time in ms at which the last call of a batch may begin, so that a batch ends as soon as its client expects. */
export function refuseLateCall(endAt: number): void {
  if (Date.now() <= endAt) return
  const text =
    'the calls before this one took too long, so nothing was sent; send the batch again with the same idempotency key, which makes only the missing calls'
  throw new Refusal('unavailable', text)
}
