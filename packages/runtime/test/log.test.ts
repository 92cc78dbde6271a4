import { AxiosError, AxiosHeaders } from 'axios'
import { openLogFile } from './log-file.ts'

const SECRET = 'hunter2-of-the-test'

describe('openLog', () => {
  it.each([
    ['headers', { headers: { authorization: SECRET } }],
    ['headers, one level down', { sent: { headers: { authorization: SECRET } } }],
    ['credentials', { credentials: { token: SECRET } }],
    ['a request and its response', { call: { request: SECRET, response: SECRET } }],
    ['the config of a client', { config: { auth: SECRET } }],
    ['an error of a client', { err: axiosError() }],
    ['text that was thrown for an error, but not what it is', { err: new Error('harmless', { cause: SECRET }) }],
  ])('masks %s', async (_name, fields) => {
    const { log, lines, close } = await openLogFile()
    log.warn(fields, 'something')
    const written = await lines()
    expect(written).toMatchObject([{ level: 40, msg: 'something', service: 'test', time: expect.stringMatching(/^\d{4}-.*Z$/) }])
    expect(JSON.stringify(written)).not.toContain(SECRET)
    await close()
  })

  it('logs the name, message, stack trace and code of an error', async () => {
    const { log, lines, close } = await openLogFile()
    log.error({ err: Object.assign(new RangeError('too far'), { code: 'EFAR' }) }, 'it failed')
    expect(await lines()).toMatchObject([
      { err: { name: 'RangeError', message: 'too far', code: 'EFAR', stack: expect.stringContaining('log.test') } },
    ])
    await close()
  })

  it('writes a repeated warning about an error once a minute, with the number of repeats', async () => {
    const { log, lines, close } = await openLogFile()
    const warn = (code: string, message = 'the connection failed') => log.warn({ err: Object.assign(new Error(code), { code }) }, message)
    jest.useFakeTimers({ doNotFake: ['setInterval', 'setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] })
    try {
      for (let i = 0; i < 100; i++) warn('ECONNREFUSED')
      warn('ETIMEDOUT')
      warn('ECONNREFUSED', 'another message')
      log.warn({ n: 1 }, 'without an error')
      log.warn({ n: 2 }, 'without an error')
      jest.advanceTimersByTime(60_000)
      warn('ECONNREFUSED')
      jest.advanceTimersByTime(60_000)
      jest.advanceTimersByTime(60_000)
      warn('ECONNREFUSED')
    } finally {
      jest.useRealTimers()
    }
    const written = (await lines()) as { msg: string; err?: { code: string }; repeated?: number }[]
    expect(written.map(({ msg, err, repeated }) => [msg, err?.code, repeated])).toEqual([
      ['the connection failed', 'ECONNREFUSED', undefined],
      ['the connection failed', 'ETIMEDOUT', undefined],
      ['another message', 'ECONNREFUSED', undefined],
      ['without an error', undefined, undefined],
      ['without an error', undefined, undefined],
      ['the connection failed', 'ECONNREFUSED', 99],
      ['the connection failed', 'ECONNREFUSED', 1],
      ['the connection failed', 'ECONNREFUSED', undefined],
    ])
    await close()
  })
})

function axiosError(): AxiosError {
  const config = { headers: new AxiosHeaders({ authorization: SECRET }), url: `https://x/?key=${SECRET}` }
  return new AxiosError(
    'Request failed',
    'ERR',
    config,
    { path: SECRET },
    { data: SECRET, status: 500, statusText: '', headers: {}, config },
  )
}
