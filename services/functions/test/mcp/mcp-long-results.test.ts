import type { Client } from '@modelcontextprotocol/client'
import { type Received, sendJson } from '@onward/testbed'
import { cutOutput, type Step } from '../../src/mcp/cut.ts'
import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { useFunctions } from '../support/support.ts'

const onward = useFunctions()

const LIMIT = 1_930
const CONTINUED = 'to go on, call again with this _cursor and the same arguments; _fields makes the output shorter'

/** Creates a user with accounts of the test apps, and the official client with a token of that user. */
async function connected(settings: object = {}): Promise<Client> {
  const user = onward.newUser()
  for (const app of ['notes', 'desk'] as const) await user.connect(app)
  const { token } = await createToken(user, { output_chars: LIMIT, ...settings })
  return await connectClient(onward.url, token, '2026-07-28')
}

function respondWith(output: unknown): void {
  onward.third.respond((_received, response) => sendJson(response, 200, output as object))
}

/** Calls a tool until its result has no `_cursor`, and returns the results. */
async function callToTheEnd(client: Client, name: string, args: Record<string, unknown> = {}) {
  const results: Awaited<ReturnType<typeof callTool>>['value'][] = []
  let _cursor: string | undefined
  do {
    const { isError, value } = await callTool(client, name, { ...args, ...(_cursor !== undefined && { _cursor }) })
    expect([isError, value.code]).toEqual([false, undefined])
    expect(JSON.stringify(value.output).length).toBeLessThanOrEqual(LIMIT)
    results.push(value)
    _cursor = value._cursor
  } while (_cursor !== undefined)
  return results
}

const withoutMarks = (text: string) => text.replace(/^…|…$/g, '')

describe('a long result', () => {
  it('ends at an item, and says what is missing and how to go on', async () => {
    const items = Array.from({ length: 100 }, (_, n) => ({ id: n, text: 'x'.repeat(100) }))
    respondWith({ total: 100, page: { items }, small: [1, 2] })
    const client = await connected()
    const { value } = await callTool(client, 'notes-read-notes')
    expect(value.output).toEqual({ total: 100, page: { items: items.slice(0, 15) }, small: [1, 2] })
    expect(value.truncated).toEqual({ path: 'page.items', shown: 15, of: 100, hint: `the last items were left out; ${CONTINUED}` })
    const next = await callTool(client, 'notes-read-notes', { _cursor: value._cursor })
    expect(next.value.output).toEqual({ page: { items: items.slice(15, 30) } })
    expect(next.value.truncated).toMatchObject({ path: 'page.items', before: 15, shown: 15, of: 100 })
  })

  it.each([
    ['direct', 'notes-read-notes', {}],
    ['search', 'call_read_function', { name: 'notes-read-notes' }],
  ])('in %s mode continues until each item of a list was shown once', async (mode, tool, args) => {
    const items = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat((id * 37) % 400) }))
    respondWith({ page: { items } })
    const results = await callToTheEnd(await connected({ mode }), tool, args)
    expect(results.length).toBeGreaterThan(5)
    expect(results.flatMap(({ output }) => output.page.items)).toEqual(items)
  })

  it('continues each page of the app, and then with its next page', async () => {
    const items = Array.from({ length: 90 }, (_, id) => ({ id, text: 'y'.repeat(100) }))
    onward.third.respond(({ url }: Received, response) => {
      const after = Number(new URL(url, 'http://app.example').searchParams.get('after') ?? 0)
      sendJson(response, 200, { tickets: items.slice(after, after + 40), meta: { next: after + 40 < 90 ? String(after + 40) : null } })
    })
    const results = await callToTheEnd(await connected(), 'desk-list-tickets', { _fields: ['id', 'text'] })
    expect(results.flatMap(({ output }) => output)).toEqual(items)
    expect(results.length).toBeGreaterThan(6)
  })

  it('continues long texts, and names the items to which they belong', async () => {
    const items = Array.from({ length: 3 }, (_, id) => ({ id, body: String.fromCodePoint(0x1f600 + id).repeat(700 * id + 1) }))
    respondWith({ items })
    const results = await callToTheEnd(await connected(), 'notes-read-notes')
    const bodyOf = (id: number) =>
      results
        .flatMap(({ output }) => output.items)
        .filter((item) => item.id === id)
        .map(({ body }) => withoutMarks(body))
        .join('')
    expect(items.map(({ id }) => bodyOf(id))).toEqual(items.map(({ body }) => body))
    expect(results[1].truncated.hint).toBe(`texts with … were cut there; ${CONTINUED}`)
    for (const { output } of results) expect(JSON.stringify(output)).not.toContain('\\ud')
  })

  it('continues an output that is one text, also one that JSON escapes', async () => {
    const text = `${'y'.repeat(3_000)}${'"\u0001\n'.repeat(500)}`
    onward.third.respond((_received, response) => response.end(JSON.stringify(text)) as never)
    const results = await callToTheEnd(await connected(), 'notes-read-notes')
    expect(results.map(({ output }) => withoutMarks(output)).join('')).toBe(text)
  })

  it('is JSON text in parts if nothing else can be cut', async () => {
    const output = [Array.from({ length: 1_000 }, (_, n) => n)]
    respondWith(output)
    const results = await callToTheEnd(await connected(), 'notes-read-notes')
    expect(JSON.parse(results.map((each) => withoutMarks(each.output)).join(''))).toEqual(output)
    expect(results[0].truncated.hint).toBe(`this is a part of the output as JSON text; ${CONTINUED}`)
  })

  it('is not continued with other arguments, other _fields or by another user', async () => {
    respondWith(Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(100) })))
    const client = await connected()
    const { _cursor } = (await callTool(client, 'desk-get-ticket', { ticket_id: '1' })).value
    const problem = '_cursor: must be the _cursor of an earlier result, sent with the same arguments and the same _fields'
    const sent = onward.third.received.length
    for (const [each, changed] of [
      [client, { ticket_id: '2' }],
      [client, { ticket_id: '1', _fields: ['id'] }],
      [await connected(), { ticket_id: '1' }],
    ] as const) {
      const { isError, value } = await callTool(each, 'desk-get-ticket', { ...changed, _cursor })
      expect([isError, value.error_details]).toEqual([true, [problem]])
    }
    expect(onward.third.received).toHaveLength(sent)
  })

  it('of a call that changed something has no _cursor, and says so', async () => {
    respondWith(Array.from({ length: 200 }, () => 'a label'))
    const { value } = await callTool(await connected(), 'desk-create-ticket', { subject: 'a' })
    expect(value._cursor).toBeUndefined()
    expect(value.truncated.hint).toBe(
      'the last items were left out; the call took effect, so do not repeat it: read the rest with another function, and next time send _fields with what you need',
    )
  })

  it('of an error has no _cursor', async () => {
    onward.third.respond((_received, response) => sendJson(response, 404, { errors: Array.from({ length: 500 }, () => 'an error') }))
    const { isError, value } = await callTool(await connected(), 'notes-read-notes')
    expect([isError, value._cursor, value.truncated.hint]).toEqual([true, undefined, 'the last items were left out'])
  })

  it('is shorter than its limit and comes to an end, whatever its shape', () => {
    const texts = (length: number) => Array.from({ length }, (_, n) => '\u0007"é😀x'.repeat(n))
    const shapes = [texts(30), { a: texts(20), b: { c: texts(25) } }, [[texts(15)], [texts(15)]], { long: 'x'.repeat(3_000), list: [1, 2] }]
    for (const shape of [...shapes, texts(40).join(''), Object.fromEntries(texts(20).map((text, n) => [`${n}${text}`, n]))]) {
      for (const limit of [60, 700]) {
        const seen = new Set<string>()
        let steps: readonly Step[] | undefined = []
        while (steps !== undefined) {
          seen.add(JSON.stringify(steps))
          const cut = cutOutput(shape, limit, steps)
          expect(JSON.stringify(cut.output).length).toBeLessThanOrEqual(limit)
          steps = 'rest' in cut ? cut.rest : undefined
          expect(seen).not.toContain(JSON.stringify(steps))
        }
        expect(seen.size).toBeGreaterThan(1)
      }
    }
  })
})
