import { setImmediate as nextIteration } from 'node:timers/promises'
import { openTurns } from '../src/turns.ts'

/** Work that occupies the event loop for a millisecond. */
function work(): void {
  const until = performance.now() + 1
  while (performance.now() < until);
}

function taker() {
  const turns = openTurns()
  const done: string[] = []
  const take = (tenant: string, name = tenant) =>
    turns.take(tenant, () => {
      work()
      done.push(name)
    })
  async function untilDone(count: number): Promise<void> {
    while (done.length < count) await nextIteration()
  }
  return { take, done, untilDone }
}

describe('turns', () => {
  it('runs a request at once while the process has time', () => {
    const { take, done } = taker()
    take('a')
    expect(done).toEqual(['a'])
  })

  it('leaves the rest to later iterations of the event loop, so that connections are accepted between them', async () => {
    const { take, done, untilDone } = taker()
    for (let i = 0; i < 40; i++) take('a')
    expect(done.length).toBeLessThan(10)
    let iterations = 0
    while (done.length < 40) {
      const before = done.length
      await nextIteration()
      expect(done.length - before).toBeLessThan(10)
      iterations++
    }
    expect(iterations).toBeGreaterThan(4)
    await untilDone(40)
  })

  it('gives a tenant with one request a turn before the many requests of another', async () => {
    const { take, done, untilDone } = taker()
    for (let i = 0; i < 100; i++) take('busy')
    take('quiet')
    await untilDone(101)
    expect(done.indexOf('quiet')).toBeLessThan(10)
  })

  it('gives several busy tenants the same number of turns', async () => {
    const { take, done, untilDone } = taker()
    for (let i = 0; i < 50; i++) take('first')
    for (let i = 0; i < 20; i++) for (const tenant of ['second', 'third']) take(tenant)
    await untilDone(90)
    const until = done.lastIndexOf('third')
    const turns = (tenant: string) => done.slice(0, until).filter((each) => each === tenant).length
    expect(Math.abs(turns('second') - turns('third'))).toBeLessThan(3)
    expect(turns('first') - turns('second')).toBeLessThan(10)
  })

  it('runs the requests of one tenant in the order in which they came', async () => {
    const { take, done, untilDone } = taker()
    const names = Array.from({ length: 30 }, (_, i) => String(i))
    for (const name of names) take('a', name)
    await untilDone(30)
    expect(done).toEqual(names)
  })
})
