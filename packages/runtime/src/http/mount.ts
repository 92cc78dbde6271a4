import type { EndpointShape } from '@onward/contract'
import type { IRouter, Request } from 'express'
import { Refusal } from '../refusal.ts'
import { type Check, compileCheck } from '../validator.ts'
import { isForm } from './bodies.ts'
import { nulProblems } from './nul.ts'
import { type Route, STREAMED } from './route.ts'
import { spellBooleans } from './spell-booleans.ts'

/**
 * Serves routes: checks query and body against the endpoint's schemas, hands them over, sends the answer.
 * With `checkAnswers` (tests, development) an answer that does not fit its own schema is a failure.
 */
export function mount<Context>(router: IRouter, context: Context, routes: readonly Route<Context>[], checkAnswers: boolean): void {
  for (const { endpoint, handle } of routes) {
    const readQuery = queryReader(endpoint)
    const readBody = bodyReader(endpoint)
    const answers = checkAnswers ? compileCheck(endpoint.answer, 'strict') : undefined
    router[endpoint.method](endpoint.path, async (req, res) => {
      const problems: string[] = []
      const query = readQuery(req, problems)
      const body = readBody(req, problems)
      if (problems.length > 0) throw new Refusal('invalid_parameters', 'the parameters are not valid', problems)
      const input = { params: req.params, query, body, caller: res.locals.caller, request: req, response: res }
      const answer = await handle(context, input as never)
      if (answer === STREAMED) return
      const misfits = answers?.(JSON.parse(JSON.stringify(answer))) ?? []
      if (misfits.length > 0) throw new Error(`the answer of ${endpoint.path} does not fit its schema: ${misfits.join('; ')}`)
      res.json(answer)
    })
  }
}

type Reader = (req: Request, problems: string[]) => unknown

/** Queries are text: values are coerced, an empty one is an absent one, and booleans come in the spellings of published clients. */
function queryReader(endpoint: EndpointShape): Reader {
  if (endpoint.query === undefined) return () => ({})
  const check = compileCheck(endpoint.query, 'coerce')
  const properties = endpoint.query.properties ?? {}
  return (req, problems) => {
    const given: Record<string, unknown> = {}
    // `req.query` is a getter that parses anew: coerced values must land in a copy.
    for (const [key, value] of Object.entries(req.query)) {
      if (value !== '' && Object.hasOwn(properties, key)) given[key] = value
    }
    spellBooleans(given, properties)
    problems.push(...check(given))
    return given
  }
}

function bodyReader(endpoint: EndpointShape): Reader {
  if (endpoint.body === undefined) return () => undefined
  const strict = compileCheck(endpoint.body, 'strict')
  // What a closed body holds is kept in Postgres; an open one holds a function's own arguments.
  const closed = endpoint.body.additionalProperties === false
  const known = Object.keys(endpoint.body.properties ?? {})
  const coerce: Check | undefined = endpoint.body.type === 'object' ? compileCheck(endpoint.body, 'coerce') : undefined
  return (req, problems) => {
    if (isForm(req) && coerce === undefined) throw new Refusal('unsupported_media_type', 'send the body as application/json')
    const check = isForm(req) && coerce !== undefined ? coerce : strict
    if (check === coerce) spellBooleans(req.body, endpoint.body?.properties ?? {})
    problems.push(...check(req.body).map((problem) => (problem.startsWith(':') ? `body${problem}` : problem)))
    if (closed) problems.push(...nulProblems(req.body, known))
    return req.body
  }
}
