import {
  type App,
  type AppFunction,
  CatalogError,
  type Credentials,
  type Cursor,
  compileApp,
  type FileContents,
  type OnwardRequest,
} from '../src/index.ts'

type Parts = Readonly<Record<string, unknown>>

const account = { api_key: 'key-123' }

/** The text of an app file; `app` and `fn` replace or add parts. */
export function sampleText(app: Parts, fn: Parts = {}): string {
  const run = { title: 'Run', description: 'Runs.', type: 'QUERY', request: { method: 'GET', path: '/run' }, ...fn }
  const auth = { type: 'api_key', in: 'header', name: 'X-Key' }
  const sample = {
    name: 'sample',
    title: 'Sample',
    description: 'A sample.',
    base_url: 'https://api.example.com',
    auth,
    functions: { run },
  }
  return JSON.stringify({ ...sample, ...app }, null, 1)
}

export function sampleApp(app: Parts, fn: Parts = {}): App {
  return compileApp(sampleText(app, fn), 'sample.yaml')
}

export function sampleFunction(fn: Parts, app: Parts = {}): AppFunction {
  return find(sampleApp(app, fn), 'run')
}

export function find(app: App, phrase: string): AppFunction {
  const fn = app.functions.find((item) => item.name === `${app.name}-${phrase}`)
  if (!fn) throw new Error(`${app.name} has no ${phrase}`)
  return fn
}

/** The request that a function builds; fails the test when there are problems. */
export function build(
  fn: AppFunction,
  args: Parts = {},
  credentials: Credentials = account,
  cursor: Cursor | null = null,
  files: FileContents = {},
): OnwardRequest {
  const built = fn.request(args, credentials, cursor, files)
  if ('problems' in built) throw new Error(built.problems.join('\n'))
  return built.request
}

export function problems(
  fn: AppFunction,
  args: Parts,
  credentials: Credentials = account,
  cursor: Cursor | null = null,
  files: FileContents = {},
): string[] {
  const built = fn.request(args, credentials, cursor, files)
  return 'problems' in built ? built.problems : []
}

/** Returns the problems of the text of an app file. */
export function problemsOf(text: string, file = 'sample.yaml'): readonly string[] {
  try {
    compileApp(text, file)
  } catch (error) {
    if (error instanceof CatalogError) return error.problems
    throw error
  }
  return []
}

/** Optional parameters of the given types. */
export function parameters(types: Readonly<Record<string, string>>): Parts {
  const schemas = Object.entries(types).map(([name, type]) => {
    const items = type === 'array' ? { items: { type: 'string' } } : {}
    return [name, { type, description: 'A value.', ...items }]
  })
  return { parameters: { properties: Object.fromEntries(schemas) } }
}

export function required(types: Readonly<Record<string, string>>): Parts {
  return { parameters: { ...(parameters(types).parameters as object), required: Object.keys(types) } }
}
