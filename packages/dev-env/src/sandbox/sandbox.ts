import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener } from 'node:http'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type { AppFile } from '@onward/catalog'
import { parse } from 'yaml'
import { writePrivateJson } from '../private-file.ts'
import { github } from './github.ts'
import { gmail } from './gmail.ts'
import { hubspot } from './hubspot.ts'
import { AppProblem, type Imitation } from './imitation.ts'
import { pageOf } from './pages.ts'
import { type AppRequest, findRoute, type Route, readArguments, readForm, routesOf } from './routes.ts'
import { slack } from './slack.ts'
import { stripe } from './stripe.ts'

/** The tokens of the accounts that npm start connects begin with it. Any other token works too. */
export const SANDBOX_TOKEN = 'sandbox-token'

/** By the names of the app files. */
export const IMITATIONS = { slack, github, hubspot, gmail, stripe } satisfies Readonly<Record<string, Imitation>>

type Options = {
  /** The folder of the built-in app files. */
  readonly apps: string
  /** Where the objects of all accounts are stored; in memory only if absent. */
  readonly file?: string
}

type Imitated = { readonly title: string; readonly imitation: Imitation; readonly routes: readonly Route[] }
type Sent = { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }

/**
 * Opens the imitations. The returned function answers requests to apps. The first part of the path is the app's host, as in
 * `/slack.com/api/chat.postMessage`. Each access token of an app has its own objects, so any token works.
 */
export function openSandbox({ apps, file }: Options): RequestListener {
  const imitated = Object.entries(IMITATIONS).map(([name, imitation]): Imitated => {
    const app = parse(readFileSync(join(apps, `${name}.yaml`), 'utf8')) as AppFile
    return { title: app.title, imitation: imitation as Imitation, routes: routesOf(app, Object.keys(imitation.functions)) }
  })
  const stores: Record<string, unknown> = file !== undefined && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const save = () => file !== undefined && writePrivateJson(file, stores)

  function storeOf({ title, imitation }: Imitated, authorization: string, now: Date): unknown {
    // Somebody may send a token of the real app, which must not be in the file.
    const key = `${title} ${createHash('sha256').update(authorization).digest('hex').slice(0, 16)}`
    if (stores[key] === undefined) {
      stores[key] = imitation.seed(now)
      save()
    }
    return stores[key]
  }

  async function respond(received: IncomingMessage): Promise<Sent> {
    const request = readRequest(received, await readText(received))
    const app = imitated.find(({ routes }) => routes.some(({ host }) => host === request.host))
    if (app === undefined) return { status: 404, body: { error: unknownHost(request.host, imitated) } }
    try {
      const route = findRoute(app.routes, request)
      if (route === undefined) throw new AppProblem(404, 'unknown_method', unknownFunction(app, request))
      const { authorization } = received.headers
      if (authorization === undefined) throw new AppProblem(401, 'not_authed', 'Send an access token; this sandbox accepts any.')
      return call(app, route, request, authorization)
    } catch (err) {
      const failed = `The sandbox failed; npm start -- --fresh resets it: ${err}`
      return app.imitation.problem(err instanceof AppProblem ? err : new AppProblem(500, 'internal_error', failed))
    }
  }

  function call(app: Imitated, route: Route, request: AppRequest, authorization: string): Sent {
    const { fn } = route
    const [now, args] = [new Date(), readArguments(route, request)]
    const hidden = fn.request.body_type === 'raw' || fn.request.mail !== undefined
    const missing = fn.parameters?.required?.find((each) => !hidden && args[each] === undefined)
    if (missing !== undefined) throw new AppProblem(400, 'invalid_arguments', `${missing} is required.`)
    const { around, functions } = app.imitation
    const run = functions[route.name] as Imitation['functions'][string]
    const { status = 200, body = {}, list } = run({ store: storeOf(app, authorization, now), args, body: request.body, now })
    if (fn.type === 'ACTION') save()
    const whole = { ...around, ...body }
    return list === undefined ? { status, body: whole } : { status, ...pageOf(fn, request, args, whole, list) }
  }

  return (request, response) => {
    const sent = respond(request).catch((err: unknown): Sent => ({ status: 400, body: { error: `The sandbox cannot read this: ${err}` } }))
    void sent.then(({ status, body, headers }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body))
    })
  }
}

function readRequest({ method = '', url = '', headers }: IncomingMessage, text: string): AppRequest {
  const [, host = '', path = '', query = ''] = /^\/([^/?]+)([^?]*)\??(.*)$/.exec(url) ?? []
  const type = headers['content-type'] ?? ''
  const body = type.includes('json') && text !== '' ? JSON.parse(text) : type.includes('form') ? readForm(text) : text
  return { method, host, path, query: new URLSearchParams(query), body }
}

function unknownHost(host: string, imitated: readonly Imitated[]): string {
  const titles = imitated.map(({ title }) => title).join(', ')
  return `This account belongs to the sandbox, which imitates ${titles}, but not ${host}.`
}

function unknownFunction({ title, routes }: Imitated, { method, path }: AppRequest): string {
  const names = routes.map(({ name }) => name).sort()
  return `This is the sandbox's imitation of ${title}. It has no ${method} ${path}; it has ${names.join(', ')}.`
}
