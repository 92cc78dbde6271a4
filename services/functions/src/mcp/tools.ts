import { createHash } from 'node:crypto'
import { type App, type AppFunction, type JsonSchema, jsonSchemaOfOutput, type OutputSchema, type toolOf } from '@onward/catalog'
import type { Callable, Functions } from '../catalog/functions.ts'
import { toolFor } from '../catalog/tools.ts'
import type { McpToken } from '../db/mcp-tokens.ts'
import type { Policy } from '../policy/policy.ts'

/** More tools than this are refused: VS Code sends at most 128 to a model, and models choose worse from long lists. */
export const MAX_TOOLS = 128

/** Some clients put their own prefix before a name, and accept at most 60 characters together. */
const MAX_NAME = 45
const HASH_CHARS = 8

/** The paths of the output that a tool returns. */
export const FIELDS_PARAMETER = {
  type: 'array',
  items: { type: 'string' },
  description: 'Return only these parts of the output, such as items.id. Saves tokens.',
} as const

/** Continues a result, within the page of the app or with its next page. */
export const CURSOR_PARAMETER = {
  type: 'string',
  description: 'To go on, the _cursor of the previous result, with the same arguments.',
} as const

/** A tool of the MCP server, as `tools/list` returns it. */
export type McpTool = ReturnType<typeof toolOf<'mcp'>> & { readonly outputSchema?: JsonSchema }

export type Allowed = Pick<McpToken, 'apps' | 'functions' | 'readOnly' | 'role'> & {
  /** The rules of the application. */
  readonly policy: Policy
}

/** Returns whether a token is for a function. Like its maker at the console, a token of a developer destroys nothing. */
export function includes(
  { apps, functions, readOnly, role }: Omit<Allowed, 'policy'>,
  { name, app, type, destructive }: AppFunction,
): boolean {
  return (
    (apps === null || apps.includes(app.name)) &&
    (functions === null || functions.includes(name)) &&
    (!readOnly || type === 'QUERY') &&
    (role !== 'developer' || !destructive)
  )
}

/** Returns whether a token is for a function, and rules do not deny all its calls. Other functions are not shown to the client. */
export function allows(token: Allowed, fn: AppFunction): boolean {
  return includes(token, fn) && !token.policy.denies(fn, 'mcp')
}

/** Returns whether a token may get a link that connects an account of an app: not if it only reads, or allows nothing of the app. */
export function mayConnectApp({ apps, functions, readOnly }: Omit<Allowed, 'policy'>, app: App): boolean {
  return (
    !readOnly &&
    (apps === null || apps.includes(app.name)) &&
    (functions === null || app.functions.some(({ name }) => functions.includes(name)))
  )
}

export function allowsAll({ apps, functions, readOnly, role }: Omit<Allowed, 'policy'>): boolean {
  return apps === null && functions === null && !readOnly && role !== 'developer'
}

/** Returns the tools of direct mode, by name: the functions that a token allows, and whose apps need no account or are connected. */
export function directTools({ all }: Functions, token: Allowed, isConnected: (app: string) => boolean): McpTool[] {
  return all
    .filter(({ fn }) => allows(token, fn) && (!fn.app.needsAccount || isConnected(fn.app.name)))
    .map(({ fn }) => token.policy.shown(fn, 'mcp'))
    .map((fn) => ({
      ...toolFor(fn, 'mcp'),
      name: toolName(fn.name),
      inputSchema: inputSchemaOf(fn),
      ...(fn.output && { outputSchema: outputSchemaOf(fn.output) }),
    }))
}

/** Returns the schema of a result of `calledResult`. */
function outputSchemaOf(output: OutputSchema): JsonSchema {
  const properties = {
    output: jsonSchemaOfOutput(output),
    unexpected_output: { description: 'The output, if it has another shape.' },
    network_code: { type: 'integer' },
    _cursor: { type: 'string' },
    call_id: { type: 'string' },
  }
  return { type: 'object', properties, required: ['network_code', 'call_id'] }
}

/** Returns the schema of a function's arguments. The output of a function that reads can be long: `_fields` selects parts, `_cursor` continues. */
function inputSchemaOf(fn: AppFunction): McpTool['inputSchema'] {
  const { inputSchema } = toolFor(fn, 'mcp')
  if (fn.type !== 'QUERY') return inputSchema
  return { ...inputSchema, properties: { ...(inputSchema.properties as object), _cursor: CURSOR_PARAMETER, _fields: FIELDS_PARAMETER } }
}

/**
 * Returns the function that a token is for and whose tool has this name; undefined if there is none. If rules deny all its calls, clients do not
 * see the tool, and a call of it is refused with the message of the rule.
 */
export function functionOfTool(functions: Functions, token: Allowed, name: string): Callable | undefined {
  const found = name.length < MAX_NAME ? functions.get(name) : functions.all.find(({ fn }) => toolName(fn.name) === name)
  return found !== undefined && includes(token, found.fn) ? found : undefined
}

/** Returns the name of a function's tool. A long name, which only imported apps have, ends with a hash. */
function toolName(name: string): string {
  if (name.length <= MAX_NAME) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_CHARS)
  return `${name.slice(0, MAX_NAME - HASH_CHARS - 1)}-${hash}`
}

/** Returns what to do when direct mode has too many tools. */
export function tooManyTools(count: number): string {
  return `the token would offer ${count} tools, but at most ${MAX_TOOLS} are useful; create a token with mode "search", or with fewer apps or functions`
}
