import { setImmediate } from 'node:timers/promises'
import { eventually } from '@onward/testbed'
import { inTime, openLog, openLoop } from '../src/index.ts'

describe('inTime', () => {
  it('returns the result of work that ends in time', async () => {
    await expect(inTime(1_000, Promise.resolve(7))).resolves.toBe(7)
  })

  it('rejects with the error of the work', async () => {
    await expect(inTime(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('rejects when the time is over', async () => {
    await expect(inTime(10, new Promise(() => {}))).rejects.toThrow('not done within 10 ms')
  })

  it('ignores a late failure, which is no unhandled rejection', async () => {
    let fail = (_err: Error) => {}
    const late = new Promise<void>((_resolve, reject) => {
      fail = reject
    })
    await expect(inTime(5, late)).rejects.toThrow('not done within 5 ms')
    fail(new Error('late'))
    await setImmediate()
  })

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    await inTime(60_000, Promise.resolve())
    await inTime(60_000, Promise.reject(new Error('broken'))).catch(() => {})
    expect(timers()).toBe(before)
  })
})

describe('openLoop', () => {
  const log = openLog('test', 'silent')

  it('runs the work again after a failure, never twice at once', async () => {
    let running = 0
    let most = 0
    let runs = 0
    const loop = openLoop(
      1,
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 3))
        running -= 1
        if (++runs === 1) throw new Error('first')
      },
      log,
    )
    await eventually(() => expect(runs).toBeGreaterThan(3))
    await loop.close()
    expect([most, running]).toEqual([1, 0])
  })

  it('starts at once on request, and aborts the signal of the running work on close', async () => {
    let aborted = false
    const loop = openLoop(
      60_000,
      async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        aborted = true
      },
      log,
      'at once',
    )
    await loop.close()
    expect(aborted).toBe(true)
  })
})
