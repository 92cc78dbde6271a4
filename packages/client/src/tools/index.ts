import type { OnwardUser } from '../onward.ts'
import { known } from '../options.ts'
import { segment } from '../requester.ts'
import { type NativeCall, type NativeResult, readCall } from './native.ts'
import { forModel, type RunOptions, type RunSettings, runTool, type ToolOutcome, textForModel, unknownTool } from './run.ts'

export type {
  AnthropicCall,
  AnthropicResult,
  GeminiCall,
  GeminiResult,
  GeminiStepCall,
  GeminiStepResult,
  NativeCall,
  NativeResult,
  OpenAICall,
  OpenAIChatCall,
  OpenAIChatResult,
  OpenAIResult,
} from './native.ts'
export type { ToolError, ToolOutcome } from './run.ts'

export type ToolFormat = 'openai' | 'openai-chat' | 'anthropic' | 'gemini'

/** Which functions become tools. Without `apps` and `names`: the functions of the user's connected apps. */
export type ToolOptions = RunSettings & {
  readonly apps?: readonly string[]
  readonly names?: readonly string[]
  /** Only functions that read. */
  readonly readOnly?: boolean
  /** Longer results are cut: 30,000 characters by default. */
  readonly maxCharacters?: number
}

const TOOL_OPTIONS = { apps: true, names: true, readOnly: true, maxCharacters: true, variables: true, accounts: true } as const

/** A JSON Schema, as an object. */
type JsonObject = Readonly<Record<string, unknown>>

type OpenAITool = {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly strict: boolean
  readonly parameters: JsonObject
}

/** The definition of a tool in each format. */
export type ToolDefinitions = {
  readonly openai: OpenAITool
  readonly 'openai-chat': { readonly type: 'function'; readonly function: Omit<OpenAITool, 'type'> }
  readonly anthropic: {
    readonly name: string
    readonly description: string
    readonly input_schema: { readonly type: 'object' } & JsonObject
  }
  readonly gemini: {
    readonly name: string
    readonly description: string
    readonly parameters?: JsonObject
    readonly parametersJsonSchema?: JsonObject
  }
}

/** Vendors refuse more tools than this, or choose badly among them. */
const MAX_TOOLS = 128
const MAX_CHARACTERS = 30_000

/** Functions as tools of a language model. */
export type Toolset<Definition> = {
  /** Pass them to the model's API. They are sorted by name, so that prompt caches work. For Gemini, they are `functionDeclarations`. */
  readonly definitions: readonly Definition[]
  /**
   * Executes a tool call of a model, of any vendor, and returns the result in the form that its API expects. Throws only if the credentials
   * are wrong or the request was aborted: everything else is a result that the model can act on.
   */
  execute<Call extends NativeCall>(call: Call, options?: RunOptions): Promise<NativeResult<Call>>
  /** Executes a tool by its name. */
  run(name: string, args: unknown, options?: RunOptions): Promise<ToolOutcome>
}

/**
 * Loads functions as tools in the format of a model's API.
 *
 *     const tools = await loadTools(user, 'anthropic', { apps: ['slack'] })
 *     const message = await anthropic.messages.create({ tools: tools.definitions, … })
 *     for (const block of message.content) if (block.type === 'tool_use') results.push(await tools.execute(block))
 */
export async function loadTools<Format extends ToolFormat>(
  user: OnwardUser,
  format: Format,
  options: ToolOptions = {},
): Promise<Toolset<ToolDefinitions[Format]>> {
  const loaded = await fetchTools<ToolDefinitions['openai']>(user, format === 'openai-chat' ? 'openai' : format, options)
  const own = loaded.map(({ definition }) => definition)
  const definitions: readonly unknown[] = format === 'openai-chat' ? own.map(({ type, ...fn }) => ({ type, function: fn })) : own
  return { definitions: definitions as readonly ToolDefinitions[Format][], ...executorOf(user, loaded, options) }
}

type Loaded<Definition> = { readonly name: string; readonly app: string; readonly definition: Definition }

/** Returns the chosen functions in a format of Onward, sorted by name. */
export async function fetchTools<Definition>(
  user: OnwardUser,
  format: 'openai' | 'anthropic' | 'gemini' | 'mcp',
  options: ToolOptions,
): Promise<readonly Loaded<Definition>[]> {
  const { apps, names, readOnly } = known(options, TOOL_OPTIONS)
  const filters = apps !== undefined ? apps.map((app) => ({ app })) : names === undefined ? [{ connected_only: true }] : []
  const lists = filters.map((filter) => fetchList<Definition>(user, format, { ...filter, ...(readOnly ? { type: 'QUERY' } : {}) }))
  const single = (names ?? []).map((name) => fetchOne<Definition>(user, format, name))
  const loaded = (await Promise.all([...lists, ...single])).flat()
  const byName = new Map(loaded.map((one) => [one.name, one]))
  if (byName.size > MAX_TOOLS) {
    throw new TypeError(`${byName.size} functions are more than the ${MAX_TOOLS} tools that models accept: choose apps or names`)
  }
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function fetchList<Definition>(
  user: OnwardUser,
  format: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<Loaded<Definition>[]> {
  const [items, definitions] = await Promise.all([
    allItems<{ name: string; app: string }>(user, filter),
    allItems<{ name: string } & Definition>(user, { ...filter, format }),
  ])
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  return items.flatMap(({ name, app }) => {
    const definition = byName.get(name)
    return definition === undefined ? [] : [{ name, app, definition }]
  })
}

async function allItems<Item>(user: OnwardUser, query: Readonly<Record<string, unknown>>): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: { functions: Item[]; _cursor: string | null } = await user.request('POST', '/functions/list', {
      query: { ...query, page_size: 200, _cursor: cursor },
      repeatable: true,
    })
    items.push(...page.functions)
    cursor = page._cursor
  }
  return items
}

async function fetchOne<Definition>(user: OnwardUser, format: string, name: string): Promise<Loaded<Definition>> {
  const path = `/functions/${segment('name', name)}/get`
  const [{ app }, definition] = await Promise.all([
    user.functions.get(name),
    user.request<Definition>('POST', path, { query: { format }, repeatable: true }),
  ])
  return { name, app, definition }
}

function executorOf(user: OnwardUser, loaded: readonly { readonly name: string; readonly app: string }[], options: ToolOptions) {
  const { maxCharacters = MAX_CHARACTERS } = options
  const apps = new Map(loaded.map(({ name, app }) => [name, app]))

  async function run(name: string, args: unknown, runOptions: RunOptions = {}): Promise<ToolOutcome> {
    const running = known(runOptions, { signal: true, timeout: true })
    const app = apps.get(name)
    if (app === undefined) return unknownTool(name, [...apps.keys()])
    return await runTool(user, name, app, args, options, running)
  }

  async function execute<Call extends NativeCall>(call: Call, runOptions: RunOptions = {}): Promise<NativeResult<Call>> {
    const { name, args, result } = readCall(call)
    return result(await run(name, args, runOptions), maxCharacters) as NativeResult<Call>
  }

  return { run, execute }
}

type McpTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean }
}

/** The two functions of Vercel's package `ai` that make tools. */
export type AISDK<Tool, Schema> = {
  readonly jsonSchema: (schema: never) => Schema
  readonly dynamicTool: (tool: {
    description: string
    inputSchema: Schema
    execute: (input: unknown, options: { abortSignal?: AbortSignal }) => Promise<unknown>
  }) => Tool
}

/**
 * Loads functions as tools of Vercel's AI SDK, by name. Pass its own functions, so that any version works:
 *
 *     import { dynamicTool, generateText, jsonSchema } from 'ai'
 *     const tools = await loadAISDKTools(user, { dynamicTool, jsonSchema }, { apps: ['slack'] })
 */
export async function loadAISDKTools<Tool, Schema>(
  user: OnwardUser,
  { dynamicTool, jsonSchema }: AISDK<Tool, Schema>,
  options: ToolOptions = {},
): Promise<Record<string, Tool>> {
  const loaded = await fetchTools<McpTool>(user, 'mcp', options)
  const { run } = executorOf(user, loaded, options)
  const entries = loaded.map(({ name, definition: { description, inputSchema } }) => {
    const tool = dynamicTool({
      description,
      inputSchema: jsonSchema(inputSchema as never),
      execute: async (input, { abortSignal }) => forModel(await run(name, input, abortSignal === undefined ? {} : { signal: abortSignal })),
    })
    return [name, tool] as const
  })
  return Object.fromEntries(entries)
}

/** The function `tool` of `@langchain/core/tools`. */
export type LangChainTool<Tool> = (
  run: (input: unknown, config?: { signal?: AbortSignal }) => Promise<[content: string, artifact: unknown]>,
  fields: { name: string; description: string; schema: never; responseFormat: 'content_and_artifact' },
) => Tool

/**
 * Loads functions as tools of LangChain. Pass its own function `tool`, so that any version works:
 *
 *     import { tool } from '@langchain/core/tools'
 *     const tools = await loadLangChainTools(user, tool, { apps: ['slack'] })
 */
export async function loadLangChainTools<Tool>(user: OnwardUser, tool: LangChainTool<Tool>, options: ToolOptions = {}): Promise<Tool[]> {
  const { maxCharacters = MAX_CHARACTERS } = options
  const loaded = await fetchTools<McpTool>(user, 'mcp', options)
  const { run } = executorOf(user, loaded, options)
  return loaded.map(({ name, definition: { description, inputSchema } }) =>
    tool(
      async (input, config) => {
        const outcome = await run(name, input, config?.signal === undefined ? {} : { signal: config.signal })
        return [textForModel(outcome, maxCharacters), outcome]
      },
      { name, description, schema: inputSchema as never, responseFormat: 'content_and_artifact' },
    ),
  )
}
