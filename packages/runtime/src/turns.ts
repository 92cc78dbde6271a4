/**
 * Shares the event loop among tenants. While more requests arrive than the process can handle, the tenants take turns, so that the requests
 * of one tenant wait only for few requests of another.
 */
export type Turns = {
  /** Calls `run` at the turn of the tenant `key`: at once while the process has time. Requests of one tenant run in order. */
  take(key: string, run: () => void): void
  /** Resolves at the turn of the tenant for work on a body of so many bytes. Returns undefined for a small body, which needs no turn. */
  beforeBody(key: string, bytes: number): Promise<void> | undefined
}

/** How much of an iteration of the event loop new requests get. */
const SLICE_MS = 3
/** Parsing and checking a body of this size takes about a millisecond; one of 10 MB takes a hundred. */
const LARGE_BODY = 65_536
/**
 * After a large body, so many iterations pass before the next one. Node accepts one connection in each iteration: with a large body in each,
 * or the requests of 200 connections, new connections of other applications waited for 4 seconds (`bench neighbours`).
 */
const ITERATIONS_PER_BODY = 8

export function openTurns(): Turns {
  const requests = openQueue(SLICE_MS, 1)
  const bodies = openQueue(0, ITERATIONS_PER_BODY)
  return {
    take: requests,
    beforeBody: (key, bytes) => (bytes < LARGE_BODY ? undefined : new Promise((resolve) => bodies(key, resolve))),
  }
}

/**
 * Returns a function that calls `work` at the turn of `key`. Works until `sliceMs` are used, at least once, then waits for `iterations` of
 * the event loop.
 */
function openQueue(sliceMs: number, iterations: number): (key: string, work: () => void) => void {
  /** The waiting works by key. The key that had the last turn comes last. */
  const waiting = new Map<string, (() => void)[]>()
  let usedMs = 0
  let running = false
  let resting = false

  function run(work: () => void): void {
    const from = performance.now()
    running = true
    work()
    // Most of the work follows in promises. Node runs this function when none of them has anything left to do.
    queueMicrotask(() => {
      process.nextTick(() => {
        usedMs += performance.now() - from
        running = false
        serve()
      })
    })
    if (resting) return
    resting = true
    rest(iterations)
  }

  function rest(left: number): void {
    setImmediate(() => {
      if (left > 1) return rest(left - 1)
      usedMs = 0
      resting = false
      serve()
    })
  }

  const hasTime = () => !running && (!resting || usedMs < sliceMs)

  function serve(): void {
    const [next] = waiting
    if (next === undefined || !hasTime()) return
    const [key, works] = next
    const work = works.shift()
    waiting.delete(key)
    if (works.length > 0) waiting.set(key, works)
    if (work !== undefined) run(work)
  }

  return (key, work) => {
    const works = waiting.get(key)
    if (works !== undefined) works.push(work)
    else if (waiting.size === 0 && hasTime()) run(work)
    else waiting.set(key, [work])
  }
}
