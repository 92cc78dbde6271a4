import { connect } from 'node:net'
import { eventually } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  await joe.connect('notes')
  await joe.connect('desk')
})
beforeEach(() => {
  onward.third.received.length = 0
})

describe('variables', () => {
  it.each([
    ['inside a text', (tag: string) => tag.repeat(200)],
    ['as whole values', (tag: string) => Array.from({ length: 200 }, () => tag)],
  ])('that would blow the arguments up %s are refused, and nothing is executed', async (_where, many) => {
    const before = await onward.rows()
    const body = { note: { text: many('{x}') }, _variables: { x: 'a'.repeat(10_000) } }
    const { body: answer } = await joe.call('notes-add-note', body).expect(413)
    expect(answer).toEqual({ error: 'the arguments are too large with the variables filled in', error_details: [], code: 'body_too_large' })
    expect(await onward.rows()).toEqual(before)
    expect(onward.third.received).toHaveLength(0)
  })
})

describe('a request that breaks off', () => {
  it('before its first chunk is not taken for one without a body', async () => {
    const before = await onward.rows()
    const { hostname, port } = new URL(onward.url)
    const socket = connect(Number(port), hostname)
    const headers = Object.entries({ Host: hostname, 'Transfer-Encoding': 'chunked', ...joe.headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    )
    await new Promise<void>((resolve) =>
      socket.write(`POST /functions/notes-read-notes/call HTTP/1.1\r\n${headers.join('')}\r\n`, () => resolve()),
    )
    // Once a second request has been answered, the first one has been read.
    await joe.call('notes-read-notes').expect(200)
    socket.destroy()
    await joe.call('notes-read-notes').expect(200)
    await eventually(async () => expect((await onward.rows()).call_log).toBe(before.call_log + 2))
    expect(onward.third.received).toHaveLength(2)
  })
})

describe('a QUERY that was told to come back', () => {
  it('and then hears nothing keeps the answer it had, which is logged and counted', async () => {
    onward.third.answer((_received, response) => {
      if (onward.third.received.length > 1) response.destroy()
      else response.writeHead(429, { 'retry-after': '0' }).end('{"slow":"down"}')
    })
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body).toEqual({ network_code: 429, output: { slow: 'down' } })
    expect(onward.third.received).toHaveLength(2)
    expect(await onward.counted(String(headers['x-call-id']))).toBe(true)
  })
})

describe('kept bodies', () => {
  it('that are long are not kept, but their length is', async () => {
    onward.third.answer((_received, response) => response.end(JSON.stringify('x'.repeat(100_000))) as never)
    const { body, headers } = await joe.call('notes-read-notes').expect(200)
    expect(body.output).toHaveLength(100_000)
    const logged = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect(logged.body.output).toBe('[100002 characters, not kept]')
  })
})

describe('a form', () => {
  it.each(['true', 'True', '1'])('writes a boolean parameter as %s', async (spelling) => {
    onward.third.answer((_received, response) => response.end('{}') as never)
    await joe.call('desk-create-ticket', `subject=a&priority=2&public=${spelling}`).expect(200)
    expect(JSON.parse(onward.third.received[0]?.body ?? '')).toMatchObject({ public: true })
  })
})
