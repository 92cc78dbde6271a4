import { type EndpointShape, type ErrorCode, errorCodesOf } from '@onward/contract'
import { exactNumbersIn, nearestNumbers, writeJson } from '@onward/json'
import type { IRouter, Request, RequestHandler, Response } from 'express'
import { correctName } from '../nearest.ts'
import { Refusal, refuseProblems } from '../refusal.ts'
import { compileCheck, fieldPath, onFirstUse } from '../validator.ts'
import { isForm } from './bodies.ts'
import { type Route, STREAMED } from './route.ts'
import { convertTexts } from './texts.ts'

/** How routes are served. */
export type MountOptions = {
  /** Whether answers are checked against the contract, in tests and development. */
  readonly checkResponses: boolean
  /** Without it, every request may use a route, which gets only the parameters. */
  readonly guard?: RouteGuard
}

/** Decides who may use an endpoint, and what happens around its handler. */
export type RouteGuard = (endpoint: EndpointShape) => {
  /** The error codes that it adds to the endpoint's codes. */
  readonly errors: readonly ErrorCode[]
  /** Admits a request before its parameters are read. Throws a Refusal. */
  admit(req: Request, res: Response): Admission | Promise<Admission>
}

/** A request that was admitted. */
type Admission = {
  /** Calls the handler, with more input than the parameters, and returns its response. */
  run<T>(checked: { readonly query: unknown; readonly body: unknown }, handle: (input: object) => Promise<T>): Promise<T>
}

const NO_GUARD: RouteGuard = () => ({ errors: [], admit: () => ({ run: (_checked, handle) => handle({}) }) })

/** Serves routes with `serveRoute`. */
export function mount<Context>(router: IRouter, context: Context, routes: readonly Route<Context>[], options: MountOptions): void {
  for (const route of routes) router[route.endpoint.method](route.endpoint.path, serveRoute(context, route, options))
}

/**
 * Returns a handler that passes the guard, checks the query and the body against the endpoint's schemas, calls the route, and sends its response.
 * With `checkResponses`, a response that does not match its own schema is an error, and so is an error code that the endpoint does not list.
 */
export function serveRoute<Context>(
  context: Context,
  { endpoint, handle }: Route<Context>,
  { checkResponses, guard = NO_GUARD }: MountOptions,
): RequestHandler {
  const { errors, admit } = guard(endpoint)
  const readQuery = queryReader(endpoint)
  const readBody = bodyReader(endpoint)
  const checkResponse = checkResponses ? onFirstUse(() => compileCheck(endpoint.response, 'strict')) : undefined
  const checkError = checkResponses ? errorCheck(endpoint, errors) : undefined
  return async (req, res) => {
    const admission = await admit(req, res)
    const problems: string[] = []
    const query = readQuery(req, res, problems)
    const body = readBody(req, res, problems)
    refuseProblems(problems)
    const response = await admission.run({ query, body }, (more) => {
      const input = { params: req.params, query, body, caller: res.locals.caller, request: req, response: res, ...more }
      return handle(context, input as never).catch(checkError)
    })
    if (response === STREAMED) return
    const mismatches = checkResponse?.(JSON.parse(writeJson(response))) ?? []
    if (mismatches.length > 0) throw new Error(`the answer of ${endpoint.path} does not match its schema: ${mismatches.join('; ')}`)
    res.json(response)
  }
}

/** Returns a function that throws the error that a route threw, or another one if its code is neither in the endpoint's list nor in `more`. */
function errorCheck(endpoint: EndpointShape, more: readonly ErrorCode[]): ((err: unknown) => never) | undefined {
  if (endpoint.errors === undefined) return undefined
  const codes = [...errorCodesOf(endpoint), ...more]
  return (err) => {
    if (err instanceof Refusal && !codes.includes(err.code)) {
      throw new Error(`${endpoint.path} answered ${err.code}, which is not among its errors`, { cause: err })
    }
    throw err
  }
}

type Reader = (req: Request, res: Response, problems: string[]) => unknown

/** How many unknown parameters of a request are compared with the known ones, because comparing a thousand blocks the event loop. */
const MAX_CHECKED = 20

/**
 * Returns a function that reads the query. It converts the values, which are all text, to the types in the schema, and ignores empty values
 * and unknown parameters, because clients add their own parameters. A misspelt parameter is a problem: ignoring a filter would return all
 * items.
 */
function queryReader(endpoint: EndpointShape): Reader {
  const { query, anyCase = [] } = endpoint
  if (query === undefined) return () => ({})
  const check = onFirstUse(() => compileCheck(query, 'coerce'))
  const properties = query.properties ?? {}
  return (req, _res, problems) => {
    const given: Record<string, unknown> = {}
    const unknown: string[] = []
    // `req.query` is a getter that parses again at each access, so coerced values need a copy.
    for (const [key, value] of Object.entries(req.query)) {
      if (value === '') continue
      if (Object.hasOwn(properties, key)) given[key] = anyCase.includes(key) ? enumValue(value, properties[key]) : value
      else if (unknown.length < MAX_CHECKED) unknown.push(key)
    }
    if (unknown.length > 0) problems.push(...misspeltNames(unknown, properties, given))
    const read = readNumbers(convertTexts(given, query), undefined, problems)
    problems.push(...check(read))
    return read
  }
}

/** Returns the value of a schema's `enum` that equals a value without regard to case, or else the value itself. */
function enumValue(value: unknown, schema: unknown): unknown {
  const allowed: readonly string[] = Object(schema).enum ?? []
  return allowed.find((each) => each.toLowerCase() === String(value).toLowerCase()) ?? value
}

/** Returns a problem for each unknown name that is a misspelling of a parameter which was not sent. */
function misspeltNames(unknown: readonly string[], properties: object, given: object): string[] {
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(given, name))
  return unknown.flatMap((name) => {
    const meant = correctName(name, missing)
    return meant === undefined ? [] : [`${name}: is not known here; did you mean ${meant}?`]
  })
}

function bodyReader(endpoint: EndpointShape): Reader {
  const { body } = endpoint
  if (body === undefined) return () => undefined
  const strict = onFirstUse(() => compileCheck(body, 'strict'))
  // A closed body has no properties beyond its schema; its values are stored in Postgres, which cannot store NUL. An open body contains the
  // arguments of a function, which may contain NUL.
  const closed = body.additionalProperties === false
  const known = Object.keys(body.properties ?? {})
  const coerce = body.type === 'object' ? onFirstUse(() => compileCheck(body, 'coerce')) : undefined
  return (req, res, problems) => {
    if (isForm(req) && coerce === undefined) throw new Refusal('unsupported_media_type', 'send the body as application/json')
    const check = isForm(req) && coerce !== undefined ? coerce : strict
    if (check === coerce) convertTexts(req.body, body)
    if (res.locals.json?.exact !== true) req.body = readNumbers(req.body, endpoint.numbers, problems)
    problems.push(...check(req.body))
    if (closed) problems.push(...nulProblems(req.body, known))
    return req.body
  }
}

/** Returns a value without exact numbers, unless the endpoint takes them. A number that a JavaScript number cannot hold is a problem. */
function readNumbers(value: unknown, numbers: EndpointShape['numbers'], problems: string[]): unknown {
  if (numbers === 'exact') return value
  const nearest = nearestNumbers(value)
  if (numbers === 'nearest' || nearest === value) return nearest
  for (const { path, exact } of exactNumbersIn(value)) {
    const name = fieldPath(path) || 'body'
    if (exact.asNumber() === undefined) problems.push(`${name}: must be a number that a double-precision number holds exactly`)
  }
  return nearest
}

/** Returns a problem for each known text with a NUL character, which JSON and URLs can contain but Postgres cannot store. */
function nulProblems(body: unknown, names: readonly string[]): string[] {
  const values = (body ?? {}) as Readonly<Record<string, unknown>>
  const hasNul = (value: unknown) => typeof value === 'string' && value.includes('\0')
  return names.filter((name) => hasNul(values[name])).map((name) => `${name}: must not hold a NUL character`)
}
