import { sendJson } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User
let pat: User

beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('desk')
  pat = onward.user('pat', await onward.makeApplication('published', 'workspace-1', { client_profile: 'published' }))
})

const KEYS = {
  openai: ['type', 'name', 'description', 'strict', 'parameters'],
  'openai-chat': ['type', 'function'],
  anthropic: ['name', 'description', 'input_schema'],
  gemini: ['name', 'description', 'parametersJsonSchema'],
  mcp: ['name', 'title', 'description', 'inputSchema', 'annotations'],
}
const formats = Object.entries(KEYS)

type Tool = { readonly name?: string; readonly function?: { readonly name: string } }
const nameOf = (tool: Tool) => tool.function?.name ?? tool.name ?? ''

async function get(name: string, query = '', body?: object) {
  return (await joe.post(`/functions/${name}/get?${query}`, body).expect(200)).body
}

describe.each(formats)('format=%s', (format, keys) => {
  it('returns list items with exactly the keys of that format', async () => {
    const plain = await joe.post('/functions/list?app=desk').expect(200)
    const { body } = await joe.post(`/functions/list?app=desk&format=${format}`).expect(200)
    expect(body.functions.map(nameOf)).toEqual(plain.body.functions.map(({ name }: { name: string }) => name))
    for (const tool of body.functions) expect(keys).toEqual(expect.arrayContaining(Object.keys(tool)))
    const ticket = body.functions.find((tool: Tool) => nameOf(tool) === 'desk-create-ticket')
    expect(Object.keys(ticket)).toEqual(keys)
    expect(await get('desk-create-ticket', `format=${format}`)).toEqual(ticket)
  })

  it('can be combined with filters and pages', async () => {
    const { body } = await joe.post(`/functions/list?app=desk&type=QUERY&page_size=1&format=${format}`).expect(200)
    expect([body.functions.length, body._cursor]).toEqual([1, expect.any(String)])
    const next = await joe.post(`/functions/list?app=desk&type=QUERY&page_size=1&format=${format}`, { _cursor: body._cursor }).expect(200)
    expect(nameOf(next.body.functions[0]) > nameOf(body.functions[0])).toBe(true)
  })

  it('returns predicted functions in that format, with confidence and arguments beside them', async () => {
    const prompt = 'open a ticket with subject "Printer broken"'
    const { body } = await joe.post(`/functions/predict?format=${format}`, { prompt, predict_arguments: true }).expect(200)
    const tool = await get('desk-create-ticket', `format=${format}`)
    expect(body).toEqual({ functions: [tool], confidence: expect.any(Number), arguments: { subject: 'Printer broken' } })
    const none = await joe.post(`/functions/predict?format=${format}`, { prompt: 'xyzzy' }).expect(200)
    expect(none.body).toEqual({ functions: [], meta: { refused: { reason: expect.any(String) } } })
  })

  it('returns the same in the published profile', async () => {
    const { body } = await pat.post(`/functions/desk-create-ticket/get?format=${format}`).expect(200)
    expect(body).toEqual(await get('desk-create-ticket', `format=${format}`))
  })
})

describe('format', () => {
  it.each([
    ['/functions/list?format=bard', {}, 'format'],
    ['/functions/desk-create-ticket/get?format=bard', {}, 'format'],
    ['/functions/predict?format=bard', { prompt: 'x' }, 'format'],
    ['/functions/list?format=openai&include=meta', {}, 'include: cannot be combined with format'],
    ['/functions/predict?format=openai&include=meta', { prompt: 'x' }, 'include: cannot be combined with format'],
    ['/functions/desk-create-ticket/get?format=mcp', { prompt: 'x', _variables: {} }, 'prompt: cannot be combined with format'],
  ])('is refused in %s', async (path, sent, problem) => {
    const { body } = await joe.post(path, sent).expect(400)
    expect([body.code, body.error_details[0]]).toEqual(['invalid_parameters', expect.stringContaining(problem)])
  })

  it('has no effect when it is empty', async () => {
    expect(await get('desk-create-ticket', 'format=')).toEqual(await get('desk-create-ticket'))
  })
})

describe('a call with arguments in the style of a model', () => {
  const sent = () => JSON.parse(onward.third.received.at(-1)?.body ?? '')
  beforeAll(() => onward.third.respond((_received, response) => sendJson(response, 200, {})))

  it('accepts null for missing arguments and objects as JSON text', async () => {
    const { parameters } = await get('desk-create-ticket', 'format=openai')
    const filled = { subject: 'a', text: null, priority: null, state: 'open', public: null, label: null, tags: null }
    const rest = { scores: '{"speed": 3}', customer: { name: 'Ada', age: null } }
    expect(new Set(Object.keys({ ...filled, ...rest }))).toEqual(new Set(parameters.required))
    await joe.call('desk-create-ticket', { ...filled, ...rest }).expect(200)
    expect(sent()).toEqual({ subject: 'a', priority: 3, state: 'open', scores: { speed: 3 }, customer: { name: 'Ada' } })
  })

  it.each<[string, object, string]>([
    ['null for a required argument', { subject: null }, 'subject: must be text'],
    ['text that is not an object', { subject: 'a', scores: '[1]' }, 'scores: must be an object'],
    ['an object in text that the schema refuses', { subject: 'a', scores: '{"speed": "high"}' }, 'scores.speed: must be a whole number'],
    ['null in an array', { subject: 'a', tags: [null] }, 'tags[0]: must be one of "bug", "wish"'],
    ['null for a value of an open object', { subject: 'a', scores: { speed: null } }, 'scores.speed: must be a whole number'],
    ['null for an unknown name', { subject: 'a', whatever: null }, 'whatever: is not known here'],
    [
      'arguments in a wrapper',
      { subject: 'a', arguments: { text: 'x' } },
      'arguments: is not known here; put what is in it at the top level',
    ],
  ])('is refused with %s', async (_what, args, problem) => {
    const { body } = await joe.call('desk-create-ticket', args).expect(400)
    expect(body.error_details).toContain(problem)
  })

  it.each<[string, string]>([
    ['nested too deeply', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['dangerous', '{"a": {"__proto__": {"b": 1}}}'],
  ])('is refused when an object in text is %s', async (_what, text) => {
    const { body } = await joe.call('desk-passthrough-request', { url: '/x', method: 'POST', body: text }).expect(400)
    expect(body.code).toBe('invalid_body')
  })

  it('is accepted by pass-through functions too', async () => {
    await joe
      .call('desk-passthrough-request', { method: 'POST', url: '/x', query: null, headers: '{"x-a": "1"}', body: '{"b": [1, null]}' })
      .expect(200)
    expect([onward.third.received.at(-1)?.headers['x-a'], sent()]).toEqual(['1', { b: [1, null] }])
  })

  it('accepts null and JSON text in variables', async () => {
    const _variables = { nothing: null, object: '{"speed": 1}' }
    await joe.call('desk-create-ticket', { subject: 'a', text: '{nothing}', scores: '{object}', _variables }).expect(200)
    expect(sent()).toEqual({ subject: 'a', priority: 3, scores: { speed: 1 } })
  })
})

describe('the standard profile', () => {
  it('lists apps without accounts, keeps integers and returns a null _cursor on the last page', async () => {
    const ann = onward.user('ann')
    await ann.connect('desk')
    const { body } = await ann.post('/apps/list').expect(200)
    expect(body.apps.some((app: object) => 'connected_accounts' in app)).toBe(false)
    const got = await ann.post('/functions/desk-create-ticket/get').expect(200)
    expect(got.body.parameters.properties.priority.type).toBe('integer')
    onward.third.respond((_received, response) => sendJson(response, 200, { tickets: [1] }))
    await ann.call('desk-list-tickets').expect(200, { network_code: 200, output: [1], _cursor: null })
  })
})
