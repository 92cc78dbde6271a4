import { type Parameters, readArguments } from '@onward/catalog'
import { type Check, compileCheck, refuseProblems } from '@onward/runtime'
import { CURSOR_PARAMETER, FIELDS_PARAMETER, type McpTool } from './tools.ts'

const name = { type: 'string', maxLength: 100, description: 'Name of the function, such as slack-post-message.' } as const
const args = {
  type: 'object',
  additionalProperties: true,
  description: 'The arguments of the function, as its input_schema says.',
} as const
const idempotencyKey = {
  type: 'string',
  description: 'A new key for each call, up to 255 characters. The same key returns the first response, and does not call again.',
} as const

/** The tools of search mode. A model always has their names and schemas in its context, so they are short. */
const TOOLS = {
  search_functions: {
    title: 'Search functions',
    description:
      'Finds functions of third-party apps, such as Slack or HubSpot, that do what the user wants. Call it first. Returns the best functions for each task, with the schemas of the first ones and arguments that the task suggests, and which apps the user still has to connect. Describe one step per query.',
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    properties: {
      queries: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        description: 'One query for each step.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['task'],
          properties: {
            task: {
              type: 'string',
              minLength: 1,
              maxLength: 1_000,
              description: 'What to do, with the details, such as: post "the release is out" to the channel general',
            },
            app: { type: 'string', maxLength: 100, description: 'Only functions of this app, such as slack.' },
          },
        },
      },
      limit: { type: 'integer', minimum: 1, maximum: 10, default: 5, description: 'How many functions to return for each query.' },
    },
    required: ['queries'],
  },
  get_function_schemas: {
    title: 'Get function schemas',
    description: 'Returns the input schemas of functions whose names you know, and the schemas of their outputs where these are known.',
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    properties: { names: { type: 'array', minItems: 1, maxItems: 10, items: name, description: 'Names of functions.' } },
    required: ['names'],
  },
  call_read_function: {
    title: 'Call a function that only reads',
    description: 'Calls a function that only reads (read_only: true), with the account of the user.',
    hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    properties: { name, arguments: args, _cursor: CURSOR_PARAMETER, _fields: FIELDS_PARAMETER },
    required: ['name'],
  },
  call_function: {
    title: 'Call a function',
    description: 'Calls any function with the account of the user. It can change or delete data.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    properties: {
      name,
      arguments: args,
      _cursor: CURSOR_PARAMETER,
      _fields: FIELDS_PARAMETER,
      idempotency_key: idempotencyKey,
    },
    required: ['name'],
  },
  call_functions: {
    title: 'Call several functions',
    description:
      'Calls up to 20 functions with the accounts of the user, and returns a result for each, in the same order. All are called, also if one fails. The limit of a result is shared.',
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    properties: {
      calls: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['name'],
          properties: { name, arguments: args, _cursor: CURSOR_PARAMETER, _fields: FIELDS_PARAMETER, idempotency_key: idempotencyKey },
        },
      },
      in_order: { type: 'boolean', default: false, description: 'Whether each call waits for the one before.' },
    },
    required: ['calls'],
  },
  connect_account: {
    title: 'Connect an account',
    description: 'Returns a link on which the user connects an account of an app.',
    hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    properties: {
      app: { type: 'string', maxLength: 100, description: 'Name of the app, such as slack.' },
      reconnect: { type: 'boolean', default: false, description: 'Whether to connect again although there is an account.' },
    },
    required: ['app'],
  },
} as const

export type SearchToolName = keyof typeof TOOLS

type Entry = { readonly tool: McpTool; readonly schema: Parameters; readonly check: Check }

const ENTRIES = new Map<string, Entry>(
  Object.entries(TOOLS).map(([toolName, { title, description, hints, properties, required }]) => {
    const schema = { type: 'object', additionalProperties: false, properties, required } as unknown as Parameters
    const tool = { name: toolName, title, description, inputSchema: schema, annotations: { title, ...hints } } as McpTool
    return [toolName, { tool, schema, check: compileCheck(schema as never, 'strict') }]
  }),
)

const CHANGING = ['call_function', 'connect_account']

/**
 * Returns the tools of search mode. A token that only reads can neither change something in an app nor connect an account, so its
 * `call_functions` only reads.
 */
export function searchTools(readOnly: boolean): McpTool[] {
  const tools = [...ENTRIES.values()].map(({ tool }) => tool)
  if (!readOnly) return tools
  return tools
    .filter(({ name: toolName }) => !CHANGING.includes(toolName))
    .map((tool) => ({ ...tool, annotations: { ...tool.annotations, readOnlyHint: true, destructiveHint: false } }))
}

export function isSearchTool(name: string, readOnly: boolean): name is SearchToolName {
  return searchTools(readOnly).some((tool) => tool.name === name)
}

export type SearchInput = {
  search_functions: { readonly queries: readonly { readonly task: string; readonly app?: string }[]; readonly limit: number }
  get_function_schemas: { readonly names: readonly string[] }
  call_read_function: {
    readonly name: string
    readonly arguments?: Record<string, unknown>
    readonly _cursor?: string
    readonly _fields?: readonly string[]
  }
  call_function: SearchInput['call_read_function'] & { readonly idempotency_key?: string }
  call_functions: { readonly calls: readonly SearchInput['call_function'][]; readonly in_order: boolean }
  connect_account: { readonly app: string; readonly reconnect: boolean }
}

/** Returns the checked arguments of a tool, with defaults. JSON text where the schema has an object or an array is parsed. */
export function readInput<N extends SearchToolName>(toolName: N, sent: unknown): SearchInput[N] {
  const { schema, check } = ENTRIES.get(toolName) as Entry
  const input = readArguments(schema as never, sent)
  refuseProblems(check(input))
  return input as SearchInput[N]
}
