import { gzipSync } from 'node:zlib'
import { type Script, sendJson } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  for (const app of ['notes', 'desk'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

function answers(body: string | Buffer, headers: Record<string, string> = {}, status = 200): void {
  onward.third.answer((_received, response) => response.writeHead(status, headers).end(body) as never)
}

const read = async (query = '') => (await joe.call('notes-read-notes', {}, query).expect(200)).body

describe('an onward answer', () => {
  it.each([200, 201, 202, 301, 302, 400, 401, 403, 404, 409, 418, 422, 500, 501, 502, 503, 504, 599])(
    'of status %i is answered 200, logged and counted',
    async (status) => {
      answers('{"a":1}', { location: `${onward.third.url}/elsewhere` }, status)
      const before = await onward.rows()
      const { body, headers } = await joe.call('notes-read-notes').expect(200)
      expect(body).toEqual({ network_code: status, output: { a: 1 } })
      const logged = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
      expect(logged.body).toMatchObject({ outcome: 'answered', network_code: status, output: { a: 1 } })
      expect((await onward.rows()).call_log).toBe(before.call_log + 1)
      expect(onward.third.received).toHaveLength(1)
    },
  )

  it('without a body gives null', async () => {
    answers('', {}, 204)
    expect(await read()).toEqual({ network_code: 204, output: null })
  })

  it.each<[string, unknown]>([
    ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
    ['[]', []],
    ['"text"', 'text'],
    ['5', 5],
    ['null', null],
    ['false', false],
    ['\uFEFF{"bom":1}', { bom: 1 }],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"__proto__":{"admin":true},"constructor":1}', JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
    ['{"a":1', '{"a":1'],
    ['{"a":NaN}', '{"a":NaN}'],
    ['{"a":1} trailing', '{"a":1} trailing'],
    ['<html><body>hello</body></html>', '<html><body>hello</body></html>'],
    ['plain text', 'plain text'],
    [' \n', ' \n'],
  ])('%j gives %j, whatever its content-type says', async (text, output) => {
    for (const type of ['application/json', 'text/html', 'nonsense']) {
      answers(text, { 'content-type': type })
      expect((await read()).output).toEqual(output)
    }
  })

  it('may hold NUL, halves of characters and bytes that are not UTF-8', async () => {
    answers('{"a":"\\u0000\\ud800"}')
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body.output).toEqual({ a: '\u0000\ud800' })
    expect((await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)).body.output).toEqual(body.output)
    answers(Buffer.from([0x22, 0xff, 0xfe, 0x22]))
    expect((await read()).output).toBe('\ufffd\ufffd')
  })

  it.each([100, 400, 499])('nested %i levels deep is passed on', async (depth) => {
    answers('['.repeat(depth) + ']'.repeat(depth))
    expect(JSON.stringify((await read()).output)).toBe('['.repeat(depth) + ']'.repeat(depth))
  })

  it.each([501, 1_000, 3_000, 5_000, 7_000, 10_000, 200_000])('nested %i levels deep is text', async (depth) => {
    for (const text of ['['.repeat(depth) + ']'.repeat(depth), '{"a":'.repeat(depth) + 1 + '}'.repeat(depth)]) {
      answers(text)
      expect((await read()).output).toBe(text)
    }
  })

  /** A list of so many marks: commas, colons and opening brackets. */
  const marks = (many: number) => `[${Array(many).fill('0').join(',')}]`

  it('of three hundred thousand marks is passed on, and of more is text', async () => {
    answers(marks(300_000))
    expect((await read()).output).toHaveLength(300_000)
    answers(marks(300_001))
    expect((await read()).output).toBe(marks(300_001))
  })

  it('may hold any number of marks in its texts', async () => {
    const value = { [',:[{'.repeat(100_000)]: ['"[', `\\${'{"'.repeat(400_000)}\\`] }
    answers(JSON.stringify(value))
    expect((await read()).output).toEqual(value)
  })

  it.each([
    ['{}', 3],
    ['[]', 3],
    ['{"a":{}}', 9],
    ['0', 2],
  ])('of ten megabytes of %s, some kilobytes in gzip, is text', async (item, bytes) => {
    const text = `[${Array(Math.floor((10 * 1_048_576 - 1) / bytes))
      .fill(item)
      .join(',')}]`
    answers(gzipSync(text), { 'content-encoding': 'gzip', 'content-type': 'application/json' })
    const { network_code, output } = await read()
    expect(network_code).toBe(200)
    expect(output === text).toBe(true)
  })

  it('in gzip, deflate or brotli is unpacked', async () => {
    answers(gzipSync('{"packed":true}'), { 'content-encoding': 'gzip' })
    expect((await read()).output).toEqual({ packed: true })
    expect(onward.third.received[0]?.headers['accept-encoding']).toContain('gzip')
  })

  it('never brings its headers along', async () => {
    answers('{}', { 'set-cookie': 'a=b', 'x-secret': '1', 'www-authenticate': 'Basic' })
    const { headers } = await joe.call('notes-read-notes').expect(200)
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['set-cookie']))
    expect(headers).not.toHaveProperty('x-secret')
    expect(headers).not.toHaveProperty('www-authenticate')
  })

  it('of almost 10 MiB is passed on', async () => {
    const text = 'x'.repeat(10 * 1_048_576 - 2)
    answers(JSON.stringify(text))
    expect((await read()).output).toHaveLength(text.length)
  })

  it('is the whole body where the part that the function wants is missing', async () => {
    answers('{"error":"none"}')
    expect((await joe.call('desk-list-labels').expect(200)).body.output).toEqual({ error: 'none' })
    answers('{"labels":[1]}')
    expect((await joe.call('desk-list-labels').expect(200)).body.output).toEqual([1])
  })
})

describe('X-Call-ID', () => {
  it('names the row of the calls log', async () => {
    answers('{}')
    const { headers } = await joe.call('notes-read-notes').expect(200)
    expect(headers['x-call-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    expect((await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)).body.id).toBe(headers['x-call-id'])
  })

  it('is not there when nothing was executed', async () => {
    expect((await joe.call('desk-create-ticket', {}).expect(400)).headers).not.toHaveProperty('x-call-id')
  })
})

describe('another try', () => {
  const times = (n: number, status: number, headers: Record<string, string>): Script => {
    let left = n
    return (_received, response) => {
      if (left-- > 0) response.writeHead(status, headers).end('{"again":true}')
      else sendJson(response, 200, { ok: true })
    }
  }

  it.each([429, 503])('is made by a QUERY that was told to come back with %i', async (status) => {
    onward.third.answer(times(1, status, { 'retry-after': '0' }))
    expect(await read()).toEqual({ network_code: 200, output: { ok: true } })
    expect(onward.third.received).toHaveLength(2)
  })

  it('counts as one task', async () => {
    onward.third.answer(times(2, 503, { 'retry-after': '0' }))
    const before = await onward.rows()
    await read()
    expect((await onward.rows()).call_log).toBe(before.call_log + 1)
  })

  it('is not made a third time', async () => {
    onward.third.answer(times(9, 429, { 'retry-after': '0' }))
    expect(await read()).toEqual({ network_code: 429, output: { again: true } })
    expect(onward.third.received).toHaveLength(3)
  })

  it.each<[string, number, Record<string, string>, string]>([
    ['without Retry-After', 503, {}, 'notes-read-notes'],
    ['after no number', 503, { 'retry-after': 'soon' }, 'notes-read-notes'],
    ['after another status', 500, { 'retry-after': '0' }, 'notes-read-notes'],
    ['by an ACTION', 503, { 'retry-after': '0' }, 'notes-add-note'],
    ['by a pass-through request', 429, { 'retry-after': '0' }, 'notes-passthrough-request'],
  ])('is not made %s', async (_what, status, headers, name) => {
    onward.third.answer(times(1, status, headers))
    const args = { 'notes-add-note': { note: {} }, 'notes-passthrough-request': { url: '/x' } }[name] ?? {}
    expect((await joe.call(name, args).expect(200)).body.network_code).toBe(status)
    expect(onward.third.received).toHaveLength(1)
  })

  it('is not made after more time than there is', async () => {
    const hasty = await openFunctions({ env: { CALL_TIMEOUT_MS: '4000' } })
    const user = hasty.user('joe')
    await user.connect('notes')
    // With more time it would be: five seconds are the longest that is waited.
    hasty.third.answer(times(1, 503, { 'retry-after': '5' }))
    const begun = Date.now()
    expect((await user.call('notes-read-notes').expect(200)).body.network_code).toBe(503)
    expect(Date.now() - begun).toBeLessThan(5_000)
    expect(hasty.third.received).toHaveLength(1)
  })
})
