import { setTimeout as sleep } from 'node:timers/promises'
import { inTime } from '../src/index.ts'

describe('inTime', () => {
  it('gives the result of work that is done in time', async () => {
    await expect(inTime(1_000, Promise.resolve(7))).resolves.toBe(7)
  })

  it('passes the failure of the work on', async () => {
    await expect(inTime(1_000, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })

  it('fails when the time is over', async () => {
    await expect(inTime(10, new Promise(() => {}))).rejects.toThrow('not done within 10 ms')
  })

  it('drops a late failure: it is no unhandled rejection', async () => {
    const late = sleep(30).then(() => Promise.reject(new Error('late')))
    await expect(inTime(5, late)).rejects.toThrow('not done within 5 ms')
    await late.catch(() => {})
  })

  it('leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    await inTime(60_000, Promise.resolve())
    await inTime(60_000, Promise.reject(new Error('broken'))).catch(() => {})
    expect(timers()).toBe(before)
  })
})
