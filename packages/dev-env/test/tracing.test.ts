import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { callFunction, connectAccount, createSubscription, setUserLimits, taskConsumedJob } from '@onward/contract'
import { adminClient, send } from '@onward/contract-client'
import { compileCheck } from '@onward/runtime'
import { ADMIN_TOKEN, eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { APP_KEY, type Functions, openBothAreas, USER_ID } from './both-areas.ts'

/** Spans are sent every five seconds. */
const LONG_MS = 60_000
jest.setTimeout(4 * LONG_MS)

type Span = {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Returns an app with one function, which sends its traces or does not. */
const appOf = (name: string, more: object) => ({
  name,
  title: 'An app',
  description: 'An app of the tests.',
  base_url: '{account.url}',
  auth: { type: 'bearer' },
  account_settings: { url: { title: 'Server URL', description: 'Where it runs.' } },
  functions: {
    'get-me': { title: 'Get me', description: 'Returns your profile.', type: 'QUERY', request: { method: 'GET', path: `/${name}` } },
  },
  ...more,
})

let folder: string
let receiver: ScriptedServer
let webhooks: ScriptedServer
let areas: Awaited<ReturnType<typeof openBothAreas>>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-tracing-'))
  await writeFile(join(folder, 'own.yaml'), JSON.stringify(appOf('own', { send_traces: true })))
  await writeFile(join(folder, 'foreign.yaml'), JSON.stringify(appOf('foreign', {})))
  receiver = await openScriptedServer()
  webhooks = await openScriptedServer()
  areas = await openBothAreas(2, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
    APPS_PATH: folder,
    LOG_LEVEL: 'info',
    LOG_FILE: join(folder, 'log'),
  })
  const admin = adminClient({ url: areas.functions[0]?.internalUrl ?? '', token: ADMIN_TOKEN })
  for (const app of ['own', 'foreign']) {
    const credentials = { url: areas.thirdParty.url, token: 'token-of-the-tests' }
    await send(admin, connectAccount, { params: { app_key: APP_KEY }, body: { user_id: USER_ID, app, credentials } })
  }
  await send(areas.partner, setUserLimits, { query: { app_key: APP_KEY }, body: [{ user_id: USER_ID, allowed_tasks: 1 }] })
  await send(areas.partner, createSubscription, { body: { events: ['user_tasks_limit_100'], callback_url: webhooks.url } })
})
afterAll(async () => {
  await areas.close()
  await receiver.close()
  await webhooks.close()
  await rm(folder, { recursive: true })
})

/** Returns all spans that have arrived at the receiver. */
function spans(): Span[] {
  return receiver.received.flatMap(({ url, body }) => {
    expect(url).toBe('/v1/traces')
    return JSON.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }: Received) =>
      scopeSpans.flatMap((scope) =>
        scope.spans.map((span) => ({
          ...span,
          service: valuesOf(resource.attributes)['service.name'],
          attributes: valuesOf(span.attributes),
        })),
      ),
    )
  })
}
type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type Received = {
  readonly resource: { readonly attributes: readonly Attribute[] }
  readonly scopeSpans: readonly { readonly spans: readonly { readonly attributes: readonly Attribute[] }[] }[]
}
const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const spansOf = (traceId: string) => spans().filter((span) => span.traceId === traceId)

/** Calls a function with a trace of its caller. */
async function call(name: string, traceId: string, { flags = '01', process = 0 } = {}): Promise<void> {
  const headers = { traceparent: `00-${traceId}-00000000000000aa-${flags}` }
  const client = areas.clientOf(areas.functions[process] as Functions)
  await send(client, callFunction, { params: { function_name: name }, body: {}, headers })
}

const idOf = (n: number) => n.toString(16).padStart(32, '0')

it('a call is one trace: request, statements, onward call, outbox, job, count and webhook', async () => {
  const traceId = idOf(1)
  await call('own-get-me', traceId)
  const chain = [
    ['onward-functions', 'POST /functions/:function_name/call'],
    ['onward-functions', 'insert into call_log'],
    ['onward-functions', 'publish task-consumed'],
    ['onward-insights', 'process task-consumed'],
    ['onward-insights', 'count task'],
    ['onward-insights', 'webhook user_tasks_limit_100'],
  ] as const
  const names = () => spansOf(traceId).map(({ name }) => name)
  await eventually(() => expect(names()).toEqual(expect.arrayContaining(chain.map(([, name]) => name))), LONG_MS)

  const found = spansOf(traceId)
  const one = (name: string): Span => {
    const [span, ...others] = found.filter((each) => each.name === name)
    expect([name, others]).toEqual([name, []])
    return span as Span
  }
  let parent = '00000000000000aa'
  for (const [service, name] of chain) {
    expect(one(name)).toMatchObject({ service, parentSpanId: parent })
    parent = one(name).spanId
  }
  const request = one('POST /functions/:function_name/call')
  for (const name of ['insert into call_attempt', 'onward call own-get-me']) expect(one(name).parentSpanId).toBe(request.spanId)
  const statements = found.filter(({ attributes }) => attributes['db.query.text'] !== undefined)
  expect(statements.filter(({ parentSpanId }) => parentSpanId === request.spanId).length).toBeGreaterThan(0)
  expect(statements.filter(({ parentSpanId }) => parentSpanId === one('count task').spanId).length).toBeGreaterThan(3)
  expect(request.attributes).toMatchObject({ 'http.response.status_code': 200, 'onward.application': APP_KEY })
  expect(one('onward call own-get-me').attributes).toMatchObject({ 'onward.app': 'own', 'http.response.status_code': 200 })
  expect(JSON.stringify(found)).not.toContain(USER_ID)
  expect(JSON.stringify(found)).not.toContain('token-of-the-tests')
})

it('only an app whose file says so gets the trace, and no receiver of webhooks', async () => {
  await call('own-get-me', idOf(2))
  await call('foreign-get-me', idOf(2))
  const headerOf = (url: string) => areas.thirdParty.received.filter((each) => each.url === url).at(-1)?.headers.traceparent
  expect(headerOf('/own')).toMatch(new RegExp(`^00-${idOf(2)}-[0-9a-f]{16}-01$`))
  expect(headerOf('/foreign')).toBeUndefined()
  expect(webhooks.received.length).toBeGreaterThan(0)
  for (const { headers } of webhooks.received) expect(headers.traceparent).toBeUndefined()
})

it('simultaneous calls of two processes keep their own traces, although they share commits and messages', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => idOf(100 + n))
  await Promise.all(ids.map((id, n) => call('own-get-me', id, { process: n % 2 })))
  await eventually(() => {
    const counted = spans().filter(({ name, traceId }) => name === 'count task' && ids.includes(traceId))
    expect(counted.map(({ traceId }) => traceId).toSorted()).toEqual(ids)
  }, LONG_MS)
})

it('records nothing of a trace that its caller does not record', async () => {
  await call('own-get-me', idOf(3), { flags: '00' })
  await call('own-get-me', idOf(4))
  await eventually(() => expect(spansOf(idOf(4)).map(({ name }) => name)).toContain('count task'), LONG_MS)
  expect(spansOf(idOf(3))).toEqual([])
})

it.each([
  ['without one', {}],
  ['with a header that is not valid', { traceparent: `00-${'0'.repeat(32)}-00000000000000aa-01` }],
])('begins a trace for a request %s', async (_, headers) => {
  const roots = () => spans().filter(({ name, parentSpanId }) => name === 'POST /functions/:function_name/call' && !parentSpanId)
  const before = roots().length
  const client = areas.clientOf(areas.functions[0] as Functions)
  await send(client, callFunction, { params: { function_name: 'own-get-me' }, body: {}, headers })
  await eventually(() => expect(roots()).toHaveLength(before + 1), LONG_MS)
})

it('log lines have the id of their trace', async () => {
  const lines = async () =>
    (await readFile(join(folder, 'log'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  await eventually(async () => {
    const request = (await lines()).find(({ msg, trace_id }) => msg === 'request' && trace_id === idOf(1))
    expect(request).toMatchObject({ service: 'functions', route: '/functions/:function_name/call' })
  }, LONG_MS)
})

it('calls go on when the receiver refuses spans, and the log says so', async () => {
  receiver.respond((_received, response) => sendJson(response, 400, {}))
  await call('own-get-me', idOf(5))
  const text = () => readFile(join(folder, 'log'), 'utf8')
  await eventually(async () => expect(await text()).toContain('spans could not be sent to the receiver of traces'), LONG_MS)
  await call('own-get-me', idOf(6))
})

describe('the message of task events', () => {
  const job = { events: [{ id: 'x' }], traces: { x: '00-1-2-01' } }

  it('with traces is accepted by a consumer that does not know them, and one without traces by all', () => {
    const { traces: _, ...known } = taskConsumedJob.properties
    for (const properties of [known, taskConsumedJob.properties]) {
      const check = compileCheck({ ...taskConsumedJob, properties }, 'strict')
      expect(check(job)).toEqual([])
      expect(check({ events: job.events })).toEqual([])
    }
  })
})

it('without a receiver, neither the SDK nor the exporter of OpenTelemetry is loaded', async () => {
  const program = `
    import { createRequire } from 'node:module'
    import { openTracing } from '@onward/runtime'
    const { cache } = createRequire(import.meta.url)
    const loaded = () => Object.keys(cache).filter((file) => /@opentelemetry.(sdk|exporter|otlp|resources|core)/.test(file)).length
    await openTracing('functions', undefined)
    const without = loaded()
    const tracing = await openTracing('functions', { url: 'http://127.0.0.1:1', share: 1 })
    console.log(JSON.stringify({ without, with: loaded() > 0 }))
    await tracing.close()`
  const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: 'packages/dev-env' })
  expect(JSON.parse(stdout)).toEqual({ without: 0, with: true })
})
