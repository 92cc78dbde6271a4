import { sendJson } from '@onward/testbed'
import { AuthenticationError } from '../src/index.ts'
import { type AnthropicCall, loadAISDKTools, loadLangChainTools, loadTools, type NativeCall, type ToolFormat } from '../src/tools/index.ts'
import { error, failureOf, useScripted } from './scripted.ts'

const scripted = useScripted()

type Called = { readonly status?: number; readonly body: unknown }

const PLAIN = ['send', 'list'].map((name) => ({ name, app: 'chat', type: name === 'list' ? 'QUERY' : 'ACTION' }))
let called: Called

/** Serves two functions of the app chat, in every format; `called` is the response to calls. */
beforeEach(() => {
  called = { body: { network_code: 200, output: { id: 1 } } }
  scripted.server.respond((received, response) => {
    const { pathname, searchParams } = new URL(received.url, 'http://x')
    const format = searchParams.get('format')
    const type = searchParams.get('type')
    const items = PLAIN.filter((one) => type === null || one.type === type)
    const shown = items.map((one) =>
      format === null ? one : { type: 'function', name: one.name, description: format, strict: true, parameters: {} },
    )
    if (pathname === '/functions/list') return sendJson(response, 200, { functions: shown, _cursor: null })
    if (pathname.endsWith('/get'))
      return sendJson(
        response,
        200,
        shown.find(({ name }) => pathname === `/functions/${name}/get`),
      )
    response.setHeader('X-Call-ID', 'call-1')
    sendJson(response, called.status ?? 200, called.body)
  })
})

const user = () => scripted.user({ maxRetries: 0 })
const load = (format: ToolFormat = 'anthropic') => loadTools(user(), format, { apps: ['chat'] })
const lastCall = () => JSON.parse(scripted.server.received.at(-1)?.body ?? '')

describe('loadTools', () => {
  it.each(['openai', 'anthropic', 'gemini'] as const)('returns the tools in the format %s, sorted by name', async (format) => {
    const { definitions } = await load(format)
    expect(definitions).toEqual(
      ['list', 'send'].map((name) => ({ type: 'function', name, description: format, strict: true, parameters: {} })),
    )
  })

  it('returns the tools of Chat Completions', async () => {
    const { definitions } = await load('openai-chat')
    expect(definitions[0]).toEqual({ type: 'function', function: { name: 'list', description: 'openai', strict: true, parameters: {} } })
  })

  it('chooses functions of connected apps, of apps, by name, and those that read', async () => {
    const names = async (options: object) => (await loadTools(user(), 'anthropic', options)).definitions.map(({ name }) => name)
    expect(await names({ readOnly: true })).toEqual(['list'])
    expect(scripted.server.received.every(({ url }) => url.includes('connected_only=true'))).toBe(true)
    expect(await names({ names: ['send'] })).toEqual(['send'])
    expect(await names({ apps: ['chat', 'chat'], names: ['send'] })).toEqual(['list', 'send'])
  })

  it('refuses more tools than models accept', async () => {
    const functions = Array.from({ length: 129 }, (_, n) => ({ name: `f${n}`, app: 'chat' }))
    scripted.server.respond((_received, response) => sendJson(response, 200, { functions, _cursor: null }))
    expect(await failureOf(load())).toMatchObject({ message: expect.stringContaining('129 functions are more than the 128 tools') })
  })
})

describe('execute', () => {
  const args = '{"text":"hi"}'
  const output = '{"network_code":200,"output":{"id":1}}'
  const natives: readonly (readonly [string, NativeCall, unknown])[] = [
    [
      "OpenAI's Responses API",
      { type: 'function_call', call_id: 'c', name: 'send', arguments: args },
      { type: 'function_call_output', call_id: 'c', output },
    ],
    [
      "OpenAI's Chat Completions API",
      { id: 'c', type: 'function', function: { name: 'send', arguments: args } },
      { role: 'tool', tool_call_id: 'c', content: output },
    ],
    [
      "Anthropic's Messages API",
      { type: 'tool_use', id: 'c', name: 'send', input: { text: 'hi' } },
      { type: 'tool_result', tool_use_id: 'c', content: output },
    ],
    [
      "Gemini's generateContent",
      { functionCall: { id: 'c', name: 'send', args: { text: 'hi' } } },
      { functionResponse: { id: 'c', name: 'send', response: { output: JSON.parse(output) } } },
    ],
    [
      "Gemini's Interactions API",
      { type: 'function_call', id: 'c', name: 'send', arguments: { text: 'hi' } },
      { type: 'function_result', call_id: 'c', name: 'send', result: output, is_error: false },
    ],
  ]

  it.each(natives)('takes a call of %s and returns its result', async (_name, call, result) => {
    expect(await (await load()).execute(call)).toEqual(result)
    expect(lastCall()).toEqual({ text: 'hi' })
  })

  it.each(natives)('returns a failure as a result of %s', async (_name, call) => {
    called = { status: 400, body: { ...error('account_not_connected', 'no account', ['chat: connect it']), login_url: 'https://login' } }
    const text = JSON.stringify(await (await load()).execute(call))
    expect(text.replaceAll('\\"', '"')).toContain('"code":"account_not_connected"')
    expect(text).toContain('https://login')
    called = { status: 403, body: { ...error('approval_required', 'ask first', []), approval_url: 'https://approve' } }
    expect(JSON.stringify(await (await load()).execute(call))).toContain('https://approve')
  })

  it('marks failures where the API has a field for them', async () => {
    called = { body: { network_code: 404, output: { message: 'gone' } } }
    const tools = await load()
    expect(await tools.execute({ type: 'tool_use', id: 'c', name: 'send', input: {} } satisfies AnthropicCall)).toMatchObject({
      is_error: true,
      content: '{"failed":true,"network_code":404,"output":{"message":"gone"}}',
    })
  })

  it('executes only tools that were offered', async () => {
    const result = await (await load()).execute({ type: 'tool_use', id: 'c', name: 'delete', input: {} })
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('there is no tool delete; the tools are list, send') })
    expect(scripted.server.received.filter(({ url }) => url.endsWith('/call'))).toEqual([])
  })

  it.each([['{"text":'], ['[1]'], ['null']])('reports arguments that are no object: %s', async (text) => {
    const { execute } = await load()
    const { output: told } = await execute({ type: 'function_call', call_id: 'c', name: 'send', arguments: text })
    expect(told).toContain('the arguments must be a JSON object')
  })

  it('gives cursors to the model as text', async () => {
    called = { body: { network_code: 200, output: [], _cursor: { after: 1 } } }
    const { run } = await load()
    expect(await run('list', {})).toMatchObject({ cursor: '{"after":1}' })
  })

  it('gives large numbers to the model as numbers when the client reads them as bigint', async () => {
    const { execute } = await loadTools(scripted.user({ largeNumbers: 'bigint', maxRetries: 0 }), 'anthropic', { apps: ['chat'] })
    const id = '1909699624467843944'
    scripted.server.respond(
      (_received, response) => void response.end(`{"network_code":200,"output":{"id":${id}},"_cursor":{"after":${id}}}`),
    )
    expect(await execute({ type: 'tool_use', id: 'c', name: 'send', input: {} })).toMatchObject({
      content: `{"network_code":200,"output":{"id":${id}},"_cursor":"{\\"after\\":${id}}"}`,
    })
  })

  it('gives the model the hints of the app', async () => {
    const refused = { status: 'expired', login_url: 'https://x.example' }
    const more = { next_page_problem: '/next is not a URL', retry_after: 7, location: '/x' }
    const meta = { ...more, refused_account: refused, needed_scopes: [['a'], ['b', 'c']] }
    called = { body: { network_code: 200, output: [], _cursor: null, meta } }
    const { run, execute } = await load()
    expect(await run('list', {})).toMatchObject({ nextPageProblem: '/next is not a URL', retryAfter: 7, location: '/x' })
    const { output } = await execute({ type: 'function_call', call_id: 'c', name: 'list', arguments: '{}' })
    expect(JSON.parse(output)).toEqual({ network_code: 200, output: [], ...meta })
  })

  it('cuts a long result and says so', async () => {
    called = { body: { network_code: 200, output: 'x'.repeat(500), _cursor: 'next' } }
    const { execute } = await loadTools(user(), 'anthropic', { apps: ['chat'], maxCharacters: 100 })
    const { content } = await execute({ type: 'tool_use', id: 'c', name: 'list', input: {} } satisfies AnthropicCall)
    expect(content).toMatch(
      /^\{"network_code":200,"output":"x+… \[cut after 100 of \d+ characters\. Ask for less\. The next page has the _cursor "next"\.\]$/,
    )
  })

  it('uses the account and the variables of the options', async () => {
    const { run } = await loadTools(user(), 'anthropic', { apps: ['chat'], accounts: { chat: 7 }, variables: { a: 1 } })
    await run('send', { text: '{a}' })
    expect(scripted.server.received.at(-1)?.url).toBe('/functions/send/call?connected_account_id=7')
    expect(lastCall()).toEqual({ text: '{a}', _variables: { a: 1 } })
  })

  it('throws for wrong credentials, which no model can correct', async () => {
    const tools = await load()
    called = { status: 401, body: error('unauthenticated') }
    expect(await failureOf(tools.run('send', {}))).toBeInstanceOf(AuthenticationError)
  })
})

describe('frameworks', () => {
  beforeEach(() =>
    scripted.server.respond((received, response) => {
      if (received.url.endsWith('/call')) return sendJson(response, 200, { network_code: 200, output: 'done' })
      const mcp = { description: 'Sends.', inputSchema: { type: 'object' }, annotations: { readOnlyHint: false, destructiveHint: true } }
      sendJson(response, 200, { functions: [{ name: 'send', app: 'chat', ...mcp }], _cursor: null })
    }),
  )

  it('get the tools of the AI SDK through its own functions', async () => {
    const jsonSchema = (schema: never) => ({ wrapped: schema })
    const dynamicTool = <T>(tool: T) => tool
    const { send } = await loadAISDKTools(user(), { dynamicTool, jsonSchema }, { apps: ['chat'] })
    expect(send).toMatchObject({ description: 'Sends.', inputSchema: { wrapped: { type: 'object' } } })
    expect(await send?.execute({ text: 'hi' }, {})).toEqual({ network_code: 200, output: 'done' })
    expect(lastCall()).toEqual({ text: 'hi' })
  })

  it('get the tools of LangChain through its own function', async () => {
    const [tool] = await loadLangChainTools(user(), (run, fields) => ({ run, fields }), { apps: ['chat'] })
    expect(tool?.fields).toEqual({
      name: 'send',
      description: 'Sends.',
      schema: { type: 'object' },
      responseFormat: 'content_and_artifact',
    })
    expect(await tool?.run({ text: 'hi' })).toEqual(['{"network_code":200,"output":"done"}', expect.objectContaining({ ok: true })])
  })
})
