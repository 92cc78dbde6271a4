import { type AttemptResult, FIRST_CONCURRENCY, nextConcurrency } from './concurrency.ts'

/** While this many lanes are ready to claim, `wake` waits. */
const MAX_READY = 1_000
/** Maximum number of lanes whose concurrency is remembered. */
const MAX_REMEMBERED = 10_000

type Lanes = {
  /** Looks for items of these lanes. Resolves at once, or, if 1,000 lanes are ready to claim, when there are fewer. */
  wake(ids: readonly string[]): Promise<void>
  /** Stops claiming. Resolves when the items in flight have ended, or after `ms`. */
  close(ms: number): Promise<void>
  /** Returns the lanes that may have more items. */
  remaining(): string[]
}

type Options<T> = {
  /** Maximum number of items in flight in all lanes, not counting slow ones. */
  readonly maxInFlight: number
  /** Maximum number of slow items, which take longer than `promptMs`. */
  readonly maxSlow: number
  readonly promptMs: number
  /** Returns at most `room` items of a lane. `room` is at least 1. */
  readonly claim: (id: string, room: number) => Promise<readonly T[]>
  /** Time without claims in all lanes after `claim` has rejected. Then the lane claims again. */
  readonly pauseMs: number
  /** Must not reject. */
  readonly work: (item: T) => Promise<AttemptResult>
}

type Lane = {
  readonly id: string
  /** Items in flight. While `claim` runs, also the items that it may return. */
  inFlight: number
  claiming: boolean
  /** Whether there may be items that were not claimed yet. */
  more: boolean
}

/** Works on the items of many lanes concurrently. The results of a lane's items decide how many of them are in flight at once. */
export function openLanes<T>({ maxInFlight, maxSlow, promptMs, claim, pauseMs, work }: Options<T>): Lanes {
  const lanes = new Map<string, Lane>()
  const concurrencies = new Map<string, number>()
  /** Lanes that may claim, in this order. */
  const ready = new Set<Lane>()
  let waitingWakes: (() => void)[] = []
  /** How many more items may be in flight; slow ones do not count. */
  let free = maxInFlight
  let slow = 0
  let inFlight = 0
  let paused = false
  let willRun = false
  /** Defined once `close` was called. */
  let resolveClose: (() => void) | undefined

  const concurrencyOf = (id: string) => concurrencies.get(id) ?? FIRST_CONCURRENCY

  /** Makes a lane ready if it may claim. Forgets a lane that has nothing to do. */
  function update(lane: Lane): void {
    if (lane.more && !lane.claiming && lane.inFlight < concurrencyOf(lane.id)) ready.add(lane)
    else if (!lane.more && !lane.claiming && lane.inFlight === 0) lanes.delete(lane.id)
  }

  /**
   * Runs once for everything that happens in this tick. The results of many items are recorded in one statement, so they end together, and
   * their lanes can claim for all of them at once.
   */
  function run(): void {
    if (willRun) return
    willRun = true
    queueMicrotask(runNow)
  }

  /** Lets ready lanes claim, and resolves calls of `wake` and `close` that need not wait any longer. */
  function runNow(): void {
    willRun = false
    for (const lane of ready) {
      if (free <= 0 || paused || resolveClose) break
      ready.delete(lane)
      // The concurrency may have decreased since the lane became ready. The lane becomes ready again when one of its items ends.
      const room = Math.min(concurrencyOf(lane.id) - lane.inFlight, free)
      if (room > 0) void claimFor(lane, room)
    }
    if (resolveClose || ready.size < MAX_READY) {
      for (const resolve of waitingWakes) resolve()
      waitingWakes = []
    }
    if (inFlight === 0) resolveClose?.()
  }

  async function claimFor(lane: Lane, room: number): Promise<void> {
    lane.claiming = true
    lane.more = false
    reserve(lane, room)
    let items: readonly T[] = []
    try {
      items = await claim(lane.id, room)
      // Fewer items than `room` means that no more are due, unless `wake` was called since.
      if (items.length === room) lane.more = true
    } catch {
      lane.more = true
      pause()
    }
    lane.claiming = false
    // Releases what was reserved beyond the claimed items.
    reserve(lane, items.length - room)
    for (const item of items) void start(lane, item)
    update(lane)
    run()
  }

  function pause(): void {
    if (paused) return
    paused = true
    const timer = setTimeout(() => {
      paused = false
      run()
    }, pauseMs)
    timer.unref()
  }

  function reserve(lane: Lane, count: number): void {
    free -= count
    inFlight += count
    lane.inFlight += count
  }

  async function start(lane: Lane, item: T): Promise<void> {
    let isSlow = false
    let timer = setTimeout(becomeSlow, promptMs)
    function becomeSlow(): void {
      // Tries again later, because an earlier slow item may have ended by then.
      if (slow >= maxSlow) {
        timer = setTimeout(becomeSlow, promptMs)
        return
      }
      isSlow = true
      slow++
      free++
      run()
    }
    const result = await work(item)
    clearTimeout(timer)
    reserve(lane, -1)
    if (isSlow) {
      slow--
      free--
    }
    remember(lane.id, nextConcurrency(concurrencyOf(lane.id), result, promptMs))
    update(lane)
    run()
  }

  function remember(id: string, concurrency: number): void {
    concurrencies.delete(id)
    concurrencies.set(id, concurrency)
    if (concurrencies.size <= MAX_REMEMBERED) return
    const [oldest] = concurrencies.keys()
    if (oldest !== undefined) concurrencies.delete(oldest)
  }

  return {
    async wake(ids) {
      for (const id of ids) {
        const lane = lanes.get(id) ?? { id, inFlight: 0, claiming: false, more: false }
        lanes.set(id, lane)
        lane.more = true
        update(lane)
      }
      runNow()
      if (!resolveClose && ready.size >= MAX_READY) await new Promise<void>((resolve) => waitingWakes.push(resolve))
    },
    async close(ms) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        resolveClose = () => {
          clearTimeout(timer)
          resolve()
        }
        run()
      })
    },
    remaining() {
      return [...lanes.values()].filter((lane) => lane.more).map((lane) => lane.id)
    },
  }
}
