import type { AppFile, FunctionFile, RequestFile } from '@onward/catalog'

/** An imitated function and the requests that it answers. */
export type Route = {
  /** The name in the app file, without the app. */
  readonly name: string
  readonly fn: FunctionFile
  readonly host: string
  /** Matches the path, with a group for each parameter. */
  readonly path: RegExp
}

/** A request to an app. `body` is the parsed JSON or form, or else a text. */
export type AppRequest = {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/** Derives the routes of some functions from the requests in the app file. The most specific path comes first. */
export function routesOf(file: AppFile, names: readonly string[]): Route[] {
  const base = new URL(file.base_url)
  const routes = names.map((name): Route => {
    const fn = file.functions[name]
    if (fn === undefined) throw new Error(`${file.name}.yaml has no function ${name}, which the sandbox imitates`)
    const { host, path } = fn.request
    return { name, fn, host: host ?? base.host, path: pathPattern(host === undefined ? base.pathname.replace(/\/$/, '') + path : path) }
  })
  const parameters = ({ path }: Route) => path.source.split('(?<').length
  return routes.sort((a, b) => parameters(a) - parameters(b))
}

function pathPattern(template: string): RegExp {
  const parts = template
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? `(?<${part}>[^/]+)` : part.replace(/[.*+?^$()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}$`)
}

export function findRoute(routes: readonly Route[], { method, host, path }: AppRequest): Route | undefined {
  return routes.find((route) => route.fn.request.method === method && route.host === host && route.path.test(path))
}

/** Reads the arguments of a call back from its request: each is where the app file puts its tag. */
export function readArguments({ fn, path }: Route, request: AppRequest): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  const take = (template: unknown, value: unknown): void => {
    const tag = typeof template === 'string' ? /^\{(\w+)\*?\}$/.exec(template)?.[1] : undefined
    if (tag !== undefined && value !== undefined) args[tag] = convert(fn.parameters?.properties?.[tag]?.type, value)
    if (typeof template !== 'object' || template === null) return
    for (const [key, part] of Object.entries(template)) take(part, (value as Record<string, unknown> | undefined)?.[key])
  }
  const { query = {}, body }: RequestFile = fn.request
  for (const [name, value] of Object.entries(path.exec(request.path)?.groups ?? {})) take(`{${name}}`, decodeURIComponent(value))
  for (const [key, template] of Object.entries(query)) {
    const values = request.query.getAll(key)
    if (values.length > 0) take(template, String(template).endsWith('*}') ? values : values[0])
  }
  take(body, request.body)
  return args
}

/** Texts of paths, queries and forms become values of the parameter's type. JSON has values already. */
function convert(type: string | undefined, value: unknown): unknown {
  if (type === 'array') return typeof value === 'string' ? value.split(',') : Object.values(value as object)
  if (typeof value !== 'string') return value
  if (type === 'integer' || type === 'number') return Number(value)
  return type === 'boolean' ? value === 'true' : value
}

/** Parses a form with bracketed names, such as `items[0][price]=p`. Lists become objects with the indices as keys. */
export function readForm(text: string): Record<string, unknown> {
  const form: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const keys = name.split(/\]?\[|\]$/).filter((key) => key !== '')
    let node = form
    for (const key of keys.slice(0, -1)) {
      node[key] ??= Object.create(null)
      node = node[key] as Record<string, unknown>
    }
    node[keys.at(-1) ?? ''] = value
  }
  return form
}
