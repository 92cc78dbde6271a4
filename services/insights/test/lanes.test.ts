import { type AttemptResult, nextConcurrency } from '../src/webhooks/concurrency.ts'
import { openLanes } from '../src/webhooks/lanes.ts'

const ANSWERED: AttemptResult = { failure: null, durationMs: 1 }
const TIMED_OUT: AttemptResult = { failure: 'timed_out', durationMs: 15_000 }

const scenes: (() => void)[] = []
// Time passes only when a test advances it.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }))
afterEach(() => {
  jest.useRealTimers()
  for (const end of scenes.splice(0)) end()
})

/** Opens lanes over lists of items in memory. Tests end the items in flight. `claimed` lists items in the order of their claims. */
function openScene({ maxInFlight = 8, maxSlow = 8, promptMs = 1_000, pauseMs = 1_000, answered = Promise.resolve() } = {}) {
  const todo = new Map<string, number>()
  const claimed: string[] = []
  const requests: number[] = []
  const failures: Error[] = []
  const inFlight: { id: string; end: (result: AttemptResult) => void }[] = []
  const lanes = openLanes<string>({
    maxInFlight,
    maxSlow,
    promptMs,
    pauseMs,
    async claim(id, room) {
      requests.push(room)
      const [failure] = failures.splice(0, 1)
      if (failure !== undefined) throw failure
      const count = Math.min(room, todo.get(id) ?? 0)
      todo.set(id, (todo.get(id) ?? 0) - count)
      await answered
      return Array.from({ length: count }, () => id)
    },
    work(id) {
      claimed.push(id)
      return new Promise((end) => inFlight.push({ id, end }))
    },
  })
  const count = (id: string) => inFlight.filter((each) => each.id === id).length
  async function settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }
  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms)
    await settled()
  }
  async function endOne(id: string, result: AttemptResult): Promise<void> {
    const at = inFlight.findIndex((each) => each.id === id)
    inFlight.splice(at, 1)[0]?.end(result)
    await settled()
  }
  async function has(id: string, items: number): Promise<void> {
    todo.set(id, (todo.get(id) ?? 0) + items)
    await lanes.wake([id])
    await settled()
  }
  scenes.push(() => {
    todo.clear()
    for (const { end } of inFlight.splice(0)) end(ANSWERED)
  })
  return { lanes, todo, claimed, requests, failures, inFlight, count, endOne, has, pass, settled }
}

describe('lanes', () => {
  it('start with two items of a lane and increase with each prompt answer, up to sixteen', async () => {
    const scene = openScene({ maxInFlight: 100 })
    await scene.has('a', 1_000)
    expect(scene.count('a')).toBe(2)
    await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(3)
    for (let i = 0; i < 30; i++) await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(16)
  })

  it('claim once for all items of a lane that end together', async () => {
    const scene = openScene({ maxInFlight: 100 })
    await scene.has('a', 1_000)
    await scene.endOne('a', ANSWERED)
    const before = scene.requests.length
    for (const { end } of scene.inFlight.splice(0)) end(ANSWERED)
    await scene.settled()
    expect(scene.requests.slice(before)).toEqual([6])
  })

  it('have one item of a lane in flight after a timeout, until one is answered', async () => {
    const scene = openScene()
    await scene.has('a', 1_000)
    await scene.endOne('a', TIMED_OUT)
    await scene.endOne('a', TIMED_OUT)
    expect(scene.count('a')).toBe(1)
    await scene.endOne('a', TIMED_OUT)
    expect(scene.count('a')).toBe(1)
    await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(2)
  })

  it('remember a lane that hangs while it has no items', async () => {
    const scene = openScene()
    await scene.has('a', 1)
    await scene.endOne('a', TIMED_OUT)
    await scene.has('a', 10)
    expect(scene.count('a')).toBe(1)
  })

  it('take turns, however many items one of them has', async () => {
    const scene = openScene({ maxInFlight: 2 })
    await scene.has('a', 1_000)
    await scene.has('b', 1)
    await scene.has('c', 1)
    while (scene.claimed.length < 5) await scene.endOne(scene.inFlight[0]?.id ?? '', ANSWERED)
    expect(scene.claimed.slice(2, 5)).toEqual(expect.arrayContaining(['b', 'c']))
  })

  it('start another item when one is slow', async () => {
    const scene = openScene({ maxInFlight: 2, promptMs: 20 })
    await scene.has('hangs', 1_000)
    await scene.has('b', 1)
    await scene.pass(19)
    expect(scene.count('b')).toBe(0)
    await scene.pass(1)
    expect(scene.count('b')).toBe(1)
    expect(scene.count('hangs')).toBe(2)
  })

  it('start no other items when too many are slow', async () => {
    const scene = openScene({ maxInFlight: 2, maxSlow: 1, promptMs: 20 })
    await scene.has('hangs', 1_000)
    await scene.has('also hangs', 1_000)
    expect(scene.inFlight).toHaveLength(2)
    await scene.pass(20)
    expect(scene.inFlight).toHaveLength(3)
    await scene.pass(60)
    expect(scene.inFlight).toHaveLength(3)
    await scene.endOne('hangs', TIMED_OUT)
    await scene.pass(20)
    expect(scene.inFlight).toHaveLength(3)
  })

  it('claim again for a lane that is woken during its claim', async () => {
    let response = () => {}
    const scene = openScene({ answered: new Promise<void>((resolve) => (response = resolve)) })
    await scene.lanes.wake(['a'])
    await scene.has('a', 1)
    response()
    await scene.settled()
    expect(scene.count('a')).toBe(1)
  })

  it('claim nothing when the concurrency fell below the items in flight while the lane was ready', async () => {
    const scene = openScene({ maxInFlight: 4 })
    await scene.has('a', 1_000)
    await scene.endOne('a', ANSWERED)
    await scene.has('b', 1)
    // Four items are in flight, which is the maximum. The lane has a concurrency of four and is ready.
    await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(3)
    await scene.endOne('a', TIMED_OUT)
    await scene.endOne('b', ANSWERED)
    expect(scene.count('a')).toBe(2)
    await scene.endOne('a', TIMED_OUT)
    await scene.endOne('a', TIMED_OUT)
    expect(scene.count('a')).toBe(1)
    expect(Math.min(...scene.requests)).toBe(1)
  })

  it('pause after a failed claim and then claim again', async () => {
    const scene = openScene({ pauseMs: 30 })
    scene.failures.push(new Error('the database is away'))
    await scene.has('a', 1)
    await scene.has('b', 1)
    expect([scene.requests.length, scene.count('a'), scene.count('b')]).toEqual([1, 0, 0])
    expect(scene.lanes.remaining()).toEqual(['a', 'b'])
    await scene.pass(30)
    expect([scene.count('a'), scene.count('b')]).toEqual([1, 1])
  })

  it('make wake wait while too many lanes are ready', async () => {
    const scene = openScene({ maxInFlight: 1 })
    await scene.has('a', 1)
    let through = false
    const woken = scene.lanes.wake(Array.from({ length: 1_000 }, (_, i) => `lane-${i}`)).then(() => {
      through = true
    })
    await scene.settled()
    expect(through).toBe(false)
    await scene.endOne('a', ANSWERED)
    await woken
    expect(through).toBe(true)
  })

  it('close when the items in flight have ended, and return the lanes with more items', async () => {
    const scene = openScene({ maxInFlight: 4 })
    await scene.has('a', 1_000)
    await scene.has('b', 1)
    const closed = scene.lanes.close(10_000)
    await scene.has('woken while closing', 1)
    expect(scene.count('woken while closing')).toBe(0)
    for (const { id } of [...scene.inFlight]) await scene.endOne(id, ANSWERED)
    await closed
    await scene.lanes.wake(['woken later'])
    expect(scene.lanes.remaining()).toEqual(['a', 'woken while closing', 'woken later'])
    expect(scene.inFlight).toEqual([])
  })

  it('close after the given time, whatever is in flight', async () => {
    const scene = openScene()
    await scene.has('a', 1)
    const closed = scene.lanes.close(20)
    await scene.pass(20)
    await closed
    expect(scene.lanes.remaining()).toEqual([])
  })
})

describe('nextConcurrency', () => {
  it.each([
    [2, ANSWERED, 3],
    [16, ANSWERED, 16],
    [1, ANSWERED, 2],
    [16, { failure: null, durationMs: 5_000 }, 4],
    [3, { failure: null, durationMs: 5_000 }, 3],
    [1, { failure: null, durationMs: 5_000 }, 2],
    [16, TIMED_OUT, 1],
    [16, { failure: 'unreachable', durationMs: 1 }, 1],
    [7, { failure: 'broken', durationMs: 1 }, 7],
    [7, { failure: 'blocked', durationMs: 1 }, 7],
  ])('changes %d after %j to %d', (concurrency, result, next) => {
    expect(nextConcurrency(concurrency, result, 1_000)).toBe(next)
  })
})
