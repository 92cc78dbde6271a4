import { createMcpHandler, fromJsonSchema, inputRequired, McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import type { McpRequest } from '../../src/mcp/serve.ts'

/** A picture and a sound of the fewest bytes. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

/**
 * Returns a function that answers with the tools, resources and prompts that the conformance suite looks for, in place of ours. So the suite
 * tests all that is in front of the MCP library: our transport, authentication and errors.
 */
export function openFixture(): (request: McpRequest) => Promise<Response> {
  const handler = createMcpHandler(makeServer)
  return async ({ request, body }) => await handler.fetch(request, { parsedBody: body })
}

function makeServer(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '1.0.0' },
    {
      // As our server, the fixture sends no notices of changed lists.
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
    },
  )
  addTools(server)
  addResources(server)
  addPrompts(server)
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } }))
  return server
}

const text = (value: string) => ({ type: 'text', text: value }) as const
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const embedded = (uri: string, value: string) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text: value } }) as const

function addTools(server: McpServer): void {
  const fixed = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' } as const],
    test_embedded_resource: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
    test_multiple_content_types: [text('Several:'), image, embedded('test://mixed-content-resource', '{"test":"data","value":123}')],
    test_streaming_elicitation: [text('no request of the server')],
  }
  for (const [name, content] of Object.entries(fixed)) server.registerTool(name, { description: `Returns ${name}.` }, () => ({ content }))

  server.registerTool('test_error_handling', { description: 'Fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  const inputSchema = fromJsonSchema<object>({ type: 'object' })
  server.registerTool('test_logging_tool', { description: 'Logs.', inputSchema }, async (_args, { mcpReq }) => {
    await mcpReq.log('info', 'logged')
    return { content: [text('logged')] }
  })
  server.registerTool('test_tool_with_progress', { description: 'Reports its progress.', inputSchema }, async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
    }
    return { content: [text(String(progressToken))] }
  })
  server.registerTool('test_tool_with_logging', { description: 'Logs three texts.', inputSchema }, async (_args, { mcpReq }) => {
    for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) await mcpReq.log('info', line)
    return { content: [text('logged')] }
  })
  for (const [name, inputRequests] of Object.entries(QUESTIONS)) {
    server.registerTool(name, { description: 'Asks the client.', inputSchema }, (_args, { mcpReq: { inputResponses = {} } }) =>
      Object.keys(inputRequests).every((key) => isObject(inputResponses[key]))
        ? { content: [text('answered')] }
        : inputRequired({ inputRequests }),
    )
  }
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

const askForText = (name: string) =>
  inputRequired.elicit({
    message: `What is the ${name}?`,
    requestedSchema: { type: 'object', properties: { [name]: { type: 'string' } }, required: [name] },
  })
const askModel = inputRequired.createMessage({
  messages: [{ role: 'user', content: text('What is the capital of France?') }],
  maxTokens: 100,
})

/** What the tools that ask the client ask it. */
const QUESTIONS = {
  test_missing_capability: { response: askModel },
  test_input_required_result_elicitation: { user_name: askForText('name') },
  test_input_required_result_sampling: { capital_question: askModel },
  test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
  test_input_required_result_capabilities: { capital_question: askModel },
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }))
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }))
}

function addPrompts(server: McpServer): void {
  const strings = <K extends string>(...names: K[]) =>
    fromJsonSchema<Record<K, string>>({
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
      required: names,
    })
  server.registerPrompt('test_simple_prompt', { description: 'One text.' }, () => ({
    messages: [{ role: 'user', content: text('This is a simple prompt for testing.') }],
  }))
  const argsSchema = strings('arg1', 'arg2')
  server.registerPrompt('test_prompt_with_arguments', { description: 'Two arguments.', argsSchema }, ({ arg1, arg2 }) => ({
    messages: [{ role: 'user', content: text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`) }],
  }))
  const withUri = { description: 'A resource.', argsSchema: strings('resourceUri') }
  server.registerPrompt('test_prompt_with_embedded_resource', withUri, ({ resourceUri }) => ({
    messages: [
      { role: 'user', content: embedded(resourceUri, 'Embedded resource content for testing.') },
      { role: 'user', content: text('Please process the embedded resource above.') },
    ],
  }))
  server.registerPrompt('test_prompt_with_image', { description: 'An image.' }, () => ({
    messages: [
      { role: 'user', content: image },
      { role: 'user', content: text('Please analyze the image above.') },
    ],
  }))
  const asking = { description: 'Asks the client.' }
  server.registerPrompt('test_input_required_result_prompt', asking, ({ mcpReq: { inputResponses = {} } }) =>
    isObject(inputResponses.user_context)
      ? { messages: [{ role: 'user', content: text('answered') }] }
      : inputRequired({ inputRequests: { user_context: askForText('context') } }),
  )
}
