import { type EndpointShape, errorCodesOf } from '@onward/contract'
import type { IRouter, Request, RequestHandler } from 'express'
import { correctName } from '../nearest.ts'
import { Refusal, refuseProblems } from '../refusal.ts'
import { compileCheck, onFirstUse } from '../validator.ts'
import { isForm } from './bodies.ts'
import { type Route, STREAMED } from './route.ts'
import { convertTexts } from './texts.ts'

/** Serves routes with `serveRoute`. */
export function mount<Context>(router: IRouter, context: Context, routes: readonly Route<Context>[], checkAnswers: boolean): void {
  for (const route of routes) router[route.endpoint.method](route.endpoint.path, serveRoute(context, route, checkAnswers))
}

/**
 * Returns a handler that checks the query and the body against the endpoint's schemas, calls the route, and sends its answer. With
 * `checkAnswers` (tests, development), an answer that does not match its own schema is an error, and so is an error code that the endpoint
 * does not list.
 */
export function serveRoute<Context>(context: Context, { endpoint, handle }: Route<Context>, checkAnswers: boolean): RequestHandler {
  const readQuery = queryReader(endpoint)
  const readBody = bodyReader(endpoint)
  const checkAnswer = checkAnswers ? onFirstUse(() => compileCheck(endpoint.answer, 'strict')) : undefined
  const checkError = checkAnswers ? errorCheck(endpoint) : undefined
  return async (req, res) => {
    const problems: string[] = []
    const query = readQuery(req, problems)
    const body = readBody(req, problems)
    refuseProblems(problems)
    const input = { params: req.params, query, body, caller: res.locals.caller, request: req, response: res }
    const answer = await handle(context, input as never).catch(checkError)
    if (answer === STREAMED) return
    const mismatches = checkAnswer?.(JSON.parse(JSON.stringify(answer))) ?? []
    if (mismatches.length > 0) throw new Error(`the answer of ${endpoint.path} does not match its schema: ${mismatches.join('; ')}`)
    res.json(answer)
  }
}

/** Returns a function that throws the error that a route threw, or another one if the endpoint does not list its code. */
function errorCheck(endpoint: EndpointShape): ((err: unknown) => never) | undefined {
  if (endpoint.errors === undefined) return undefined
  const codes = errorCodesOf(endpoint)
  return (err) => {
    if (err instanceof Refusal && !codes.includes(err.code)) {
      throw new Error(`${endpoint.path} answered ${err.code}, which is not among its errors`, { cause: err })
    }
    throw err
  }
}

type Reader = (req: Request, problems: string[]) => unknown

/** How many unknown parameters of a request are compared with the known ones: a thousand would take milliseconds. */
const MAX_CHECKED = 20

/**
 * Returns a function that reads the query. It converts the values, which are all text, to the types in the schema, and ignores empty values
 * and unknown parameters, because clients add parameters of their own. A misspelt parameter is a problem: ignoring a filter would return
 * all items.
 */
function queryReader(endpoint: EndpointShape): Reader {
  const { query, anyCase = [] } = endpoint
  if (query === undefined) return () => ({})
  const check = onFirstUse(() => compileCheck(query, 'coerce'))
  const properties = query.properties ?? {}
  return (req, problems) => {
    const given: Record<string, unknown> = {}
    const unknown: string[] = []
    // `req.query` is a getter that parses again at each access, so coerced values need a copy.
    for (const [key, value] of Object.entries(req.query)) {
      if (value === '') continue
      if (Object.hasOwn(properties, key)) given[key] = anyCase.includes(key) ? enumValue(value, properties[key]) : value
      else if (unknown.length < MAX_CHECKED) unknown.push(key)
    }
    if (unknown.length > 0) problems.push(...misspeltNames(unknown, properties, given))
    convertTexts(given, query)
    problems.push(...check(given))
    return given
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
  return (req, problems) => {
    if (isForm(req) && coerce === undefined) throw new Refusal('unsupported_media_type', 'send the body as application/json')
    const check = isForm(req) && coerce !== undefined ? coerce : strict
    if (check === coerce) convertTexts(req.body, body)
    problems.push(...check(req.body))
    if (closed) problems.push(...nulProblems(req.body, known))
    return req.body
  }
}

/** Returns a problem for each known text with a NUL character, which JSON and URLs can contain but Postgres cannot store. */
function nulProblems(body: unknown, names: readonly string[]): string[] {
  const values = (body ?? {}) as Readonly<Record<string, unknown>>
  const hasNul = (value: unknown) => typeof value === 'string' && value.includes('\0')
  return names.filter((name) => hasNul(values[name])).map((name) => `${name}: must not hold a NUL character`)
}
