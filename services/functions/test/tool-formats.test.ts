import { sendJson } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  await joe.connect('desk')
})

const KEYS = {
  openai: ['type', 'name', 'description', 'strict', 'parameters'],
  anthropic: ['name', 'description', 'input_schema'],
  gemini: ['name', 'description', 'parameters'],
  mcp: ['name', 'title', 'description', 'inputSchema', 'annotations'],
}
const formats = Object.entries(KEYS)

async function get(name: string, query = '', body?: object) {
  return (await joe.post(`/functions/${name}/get?${query}`, body).expect(200)).body
}

describe.each(formats)('format=%s', (format, keys) => {
  it('makes the items of a list that form and nothing else', async () => {
    const plain = await joe.post('/functions/list?app=desk').expect(200)
    const { body } = await joe.post(`/functions/list?app=desk&format=${format}`).expect(200)
    expect(body.functions.map(({ name }: { name: string }) => name)).toEqual(plain.body.functions.map(({ name }: { name: string }) => name))
    for (const tool of body.functions) expect(keys).toEqual(expect.arrayContaining(Object.keys(tool)))
    const ticket = body.functions.find(({ name }: { name: string }) => name === 'desk-create-ticket')
    expect(Object.keys(ticket)).toEqual(keys)
    expect(await get('desk-create-ticket', `format=${format}`)).toEqual(ticket)
  })

  it('goes with filters and pages', async () => {
    const { body } = await joe.post(`/functions/list?app=desk&type=QUERY&page_size=1&format=${format}`).expect(200)
    expect([body.functions.length, body._cursor]).toEqual([1, expect.any(String)])
    const next = await joe.post(`/functions/list?app=desk&type=QUERY&page_size=1&format=${format}`, { _cursor: body._cursor }).expect(200)
    expect(next.body.functions[0].name > body.functions[0].name).toBe(true)
  })

  it('is what predict finds; what is ours stands beside it', async () => {
    const prompt = 'open a ticket with subject "Printer broken"'
    const { body } = await joe.post(`/functions/predict?format=${format}`, { prompt, predict_arguments: true }).expect(200)
    const tool = await get('desk-create-ticket', `format=${format}`)
    expect(body).toEqual({ functions: [tool], confidence: expect.any(Number), arguments: { subject: 'Printer broken' } })
    const none = await joe.post(`/functions/predict?format=${format}`, { prompt: 'xyzzy' }).expect(200)
    expect(none.body).toEqual({ functions: [] })
  })

  it('is the same in the published profile', async () => {
    const published = await openFunctions({ env: { CLIENT_PROFILE: 'published' } })
    const { body } = await published.user('joe').post(`/functions/desk-create-ticket/get?format=${format}`).expect(200)
    expect(body).toEqual(await get('desk-create-ticket', `format=${format}`))
  })
})

describe('format', () => {
  it.each([
    ['/functions/list?format=bard', {}, 'format'],
    ['/functions/desk-create-ticket/get?format=bard', {}, 'format'],
    ['/functions/predict?format=bard', { prompt: 'x' }, 'format'],
    ['/functions/list?format=openai&include=meta', {}, 'include: can not go with format'],
    ['/functions/predict?format=openai&include=meta', { prompt: 'x' }, 'include: can not go with format'],
    ['/functions/desk-create-ticket/get?format=mcp', { prompt: 'x', _variables: {} }, 'prompt: can not go with format'],
  ])('%s is refused', async (path, sent, problem) => {
    const { body } = await joe.post(path, sent).expect(400)
    expect([body.code, body.error_details[0]]).toEqual(['invalid_parameters', expect.stringContaining(problem)])
  })

  it('that is empty is none', async () => {
    expect(await get('desk-create-ticket', 'format=')).toEqual(await get('desk-create-ticket'))
  })
})

describe('what a model makes of the forms', () => {
  const sent = () => JSON.parse(onward.third.received.at(-1)?.body ?? '')
  beforeAll(() => onward.third.answer((_received, response) => sendJson(response, 200, {})))

  it('has null for what it leaves out, and objects as text', async () => {
    const { parameters } = await get('desk-create-ticket', 'format=openai')
    const filled = { subject: 'a', text: null, priority: null, state: 'open', public: null, label: null, tags: null }
    const rest = { scores: '{"speed": 3}', customer: { name: 'Ada', age: null } }
    expect(new Set(Object.keys({ ...filled, ...rest }))).toEqual(new Set(parameters.required))
    await joe.call('desk-create-ticket', { ...filled, ...rest }).expect(200)
    expect(sent()).toEqual({ subject: 'a', priority: 3, state: 'open', scores: { speed: 3 }, customer: { name: 'Ada' } })
  })

  it.each<[string, object, string]>([
    ['null for what is required', { subject: null }, 'subject: must be text'],
    ['text that is no object', { subject: 'a', scores: '[1]' }, 'scores: must be an object'],
    ['an object as text that the schema refuses', { subject: 'a', scores: '{"speed": "high"}' }, 'scores.speed: must be a whole number'],
    ['null in an array', { subject: 'a', tags: [null] }, 'tags[0]: must be one of "bug", "wish"'],
    ['null for a value of an open object', { subject: 'a', scores: { speed: null } }, 'scores.speed: must be a whole number'],
    ['null for an unknown name', { subject: 'a', whatever: null }, 'whatever: is not known here'],
  ])('is refused with %s', async (_what, args, problem) => {
    const { body } = await joe.call('desk-create-ticket', args).expect(400)
    expect(body.error_details).toContain(problem)
  })

  it.each<[string, string]>([
    ['too deep', `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['dangerous', '{"a": {"__proto__": {"b": 1}}}'],
  ])('is refused when an object in text is %s', async (_what, text) => {
    const { body } = await joe.call('desk-passthrough-request', { url: '/x', method: 'POST', body: text }).expect(400)
    expect(body.code).toBe('invalid_body')
  })

  it('is understood by the passthrough too', async () => {
    await joe
      .call('desk-passthrough-request', { method: 'POST', url: '/x', query: null, headers: '{"x-a": "1"}', body: '{"b": [1, null]}' })
      .expect(200)
    expect([onward.third.received.at(-1)?.headers['x-a'], sent()]).toEqual(['1', { b: [1, null] }])
  })

  it('may stand in a variable', async () => {
    const _variables = { nothing: null, object: '{"speed": 1}' }
    await joe.call('desk-create-ticket', { subject: 'a', text: '{nothing}', scores: '{object}', _variables }).expect(200)
    expect(sent()).toEqual({ subject: 'a', priority: 3, scores: { speed: 1 } })
  })
})
