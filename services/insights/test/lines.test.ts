import { openLines } from '../src/events/lines.ts'
import type { Shown } from '../src/events/window.ts'

const ANSWERED: Shown = { failure: null, durationMs: 1 }
const TIMED_OUT: Shown = { failure: 'timed_out', durationMs: 15_000 }

const scenes: (() => void)[] = []
// What the lines wait for passes when the test says so.
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] }))
afterEach(() => {
  jest.useRealTimers()
  for (const end of scenes.splice(0)) end()
})

/** Lines over lists of items in memory. What is in hand ends when the test says so; `taken` is the order in which items were taken. */
function openScene({ places = 8, dawdlers = 8, promptMs = 1_000, restMs = 1_000, answered = Promise.resolve() } = {}) {
  const todo = new Map<string, number>()
  const taken: string[] = []
  const asks: number[] = []
  const failures: Error[] = []
  const inHand: { id: string; end: (shown: Shown) => void }[] = []
  const lines = openLines<string>({
    places,
    dawdlers,
    promptMs,
    restMs,
    async take(id, room) {
      asks.push(room)
      const [failure] = failures.splice(0, 1)
      if (failure !== undefined) throw failure
      const count = Math.min(room, todo.get(id) ?? 0)
      todo.set(id, (todo.get(id) ?? 0) - count)
      await answered
      return Array.from({ length: count }, () => id)
    },
    work(id) {
      taken.push(id)
      return new Promise((end) => inHand.push({ id, end }))
    },
  })
  const count = (id: string) => inHand.filter((each) => each.id === id).length
  async function settled(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }
  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms)
    await settled()
  }
  async function endOne(id: string, shown: Shown): Promise<void> {
    const at = inHand.findIndex((each) => each.id === id)
    inHand.splice(at, 1)[0]?.end(shown)
    await settled()
  }
  async function has(id: string, items: number): Promise<void> {
    todo.set(id, (todo.get(id) ?? 0) + items)
    await lines.wake([id])
    await settled()
  }
  scenes.push(() => {
    todo.clear()
    for (const { end } of inHand.splice(0)) end(ANSWERED)
  })
  return { lines, todo, taken, asks, failures, inHand, count, endOne, has, pass, settled }
}

describe('lines', () => {
  it('start with two of a line, and more with each prompt answer, up to sixteen', async () => {
    const scene = openScene({ places: 100 })
    await scene.has('a', 1_000)
    expect(scene.count('a')).toBe(2)
    await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(3)
    for (let i = 0; i < 30; i++) await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(16)
  })

  it('have one of a line in hand once it has hung, until one is answered', async () => {
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

  it('remember a line that hangs while it has nothing to do', async () => {
    const scene = openScene()
    await scene.has('a', 1)
    await scene.endOne('a', TIMED_OUT)
    await scene.has('a', 10)
    expect(scene.count('a')).toBe(1)
  })

  it('take turns, however much there is of one', async () => {
    const scene = openScene({ places: 2 })
    await scene.has('a', 1_000)
    await scene.has('b', 1)
    await scene.has('c', 1)
    while (scene.taken.length < 5) await scene.endOne(scene.inHand[0]?.id ?? '', ANSWERED)
    expect(scene.taken.slice(2, 5)).toEqual(expect.arrayContaining(['b', 'c']))
  })

  it('give the place of what takes long to another', async () => {
    const scene = openScene({ places: 2, promptMs: 20 })
    await scene.has('hangs', 1_000)
    await scene.has('b', 1)
    await scene.pass(19)
    expect(scene.count('b')).toBe(0)
    await scene.pass(1)
    expect(scene.count('b')).toBe(1)
    expect(scene.count('hangs')).toBe(2)
  })

  it('keep the places of what takes long when too much does', async () => {
    const scene = openScene({ places: 2, dawdlers: 1, promptMs: 20 })
    await scene.has('hangs', 1_000)
    await scene.has('also hangs', 1_000)
    expect(scene.inHand).toHaveLength(2)
    await scene.pass(20)
    expect(scene.inHand).toHaveLength(3)
    await scene.pass(60)
    expect(scene.inHand).toHaveLength(3)
    await scene.endOne('hangs', TIMED_OUT)
    await scene.pass(20)
    expect(scene.inHand).toHaveLength(3)
  })

  it('look again at a line that is woken while it is being asked', async () => {
    let answer = () => {}
    const scene = openScene({ answered: new Promise<void>((resolve) => (answer = resolve)) })
    await scene.lines.wake(['a'])
    await scene.has('a', 1)
    answer()
    await scene.settled()
    expect(scene.count('a')).toBe(1)
  })

  it('ask for nothing when their window has shrunk below what is in hand while they waited for a place', async () => {
    const scene = openScene({ places: 4 })
    await scene.has('a', 1_000)
    await scene.endOne('a', ANSWERED)
    await scene.has('b', 1)
    // All places are taken, and with four in its window the line waits for one.
    await scene.endOne('a', ANSWERED)
    expect(scene.count('a')).toBe(3)
    await scene.endOne('a', TIMED_OUT)
    await scene.endOne('b', ANSWERED)
    expect(scene.count('a')).toBe(2)
    await scene.endOne('a', TIMED_OUT)
    await scene.endOne('a', TIMED_OUT)
    expect(scene.count('a')).toBe(1)
    expect(Math.min(...scene.asks)).toBe(1)
  })

  it('rest when they could not be asked, and are then asked again', async () => {
    const scene = openScene({ restMs: 30 })
    scene.failures.push(new Error('the database is away'))
    await scene.has('a', 1)
    await scene.has('b', 1)
    expect([scene.asks.length, scene.count('a'), scene.count('b')]).toEqual([1, 0, 0])
    expect(scene.lines.left()).toEqual(['a', 'b'])
    await scene.pass(30)
    expect([scene.count('a'), scene.count('b')]).toEqual([1, 1])
  })

  it('make whoever wakes more than they can do wait', async () => {
    const scene = openScene({ places: 1 })
    await scene.has('a', 1)
    let through = false
    const woken = scene.lines.wake(Array.from({ length: 1_000 }, (_, i) => `line-${i}`)).then(() => {
      through = true
    })
    await scene.settled()
    expect(through).toBe(false)
    await scene.endOne('a', ANSWERED)
    await woken
    expect(through).toBe(true)
  })

  it('close when what is in hand has ended, and say for which there is more', async () => {
    const scene = openScene({ places: 4 })
    await scene.has('a', 1_000)
    await scene.has('b', 1)
    const closed = scene.lines.close(10_000)
    await scene.has('woken meanwhile', 1)
    expect(scene.count('woken meanwhile')).toBe(0)
    for (const { id } of [...scene.inHand]) await scene.endOne(id, ANSWERED)
    await closed
    await scene.lines.wake(['woken after all'])
    expect(scene.lines.left()).toEqual(['a', 'woken meanwhile', 'woken after all'])
    expect(scene.inHand).toEqual([])
  })

  it('close in time, whatever is in hand', async () => {
    const scene = openScene()
    await scene.has('a', 1)
    const closed = scene.lines.close(20)
    await scene.pass(20)
    await closed
    expect(scene.lines.left()).toEqual([])
  })
})
