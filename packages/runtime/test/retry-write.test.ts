import { openLog, retryWrite } from '../src/index.ts'

const log = openLog('test', 'silent')

describe('retryWrite', () => {
  it('retries until the write succeeds', async () => {
    let attempts = 0
    const write = async () => {
      if (++attempts < 3) throw new Error('the database is down')
      return attempts
    }
    expect(await retryWrite(log, 'a row', write)).toBe(3)
  })

  it('throws the last error when its time has passed', async () => {
    let attempts = 0
    const write = async () => {
      throw new Error(`failure ${++attempts}`)
    }
    await expect(retryWrite(log, 'a row', write, undefined, 120)).rejects.toThrow(/^failure [2-9]$/)
  })

  it('throws the last error after its signal aborts', async () => {
    const closing = new AbortController()
    let attempts = 0
    const write = async () => {
      if (++attempts === 2) setImmediate(() => closing.abort())
      throw new Error(`failure ${attempts}`)
    }
    await expect(retryWrite(log, 'a row', write, closing.signal)).rejects.toThrow('failure 3')
  })
})
