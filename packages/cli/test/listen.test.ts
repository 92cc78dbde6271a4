import { eventually, openScriptedServer, type ScriptedServer, sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

const ID = '0199a0b2-0000-7000-8000-000000000000'
const LISTENER = `/partners/api/insights/listeners/${ID}`
const BODY = '{"user_id":"zoë","tasks_consumed":8}'
const HEADERS = { 'content-type': 'application/json', 'event-name': 'user_tasks_limit_80', 'webhook-id': ID, 'webhook-signature': 'v1,x' }

let stage: Stage
let program: ScriptedServer
let taken: unknown[]
let outages: number
let ctrlC: AbortController

beforeEach(async () => {
  stage = await openStage()
  program = await openScriptedServer()
  taken = [{ delivery_id: ID, attempt: 1, headers: HEADERS, body: BODY }]
  outages = 0
  ctrlC = new AbortController()
  stage.insights.respond(({ method, url }, response) => {
    if (url.endsWith('/take') && outages-- > 0) return sendJson(response, 503, { error: 'down', error_details: [], code: 'unavailable' })
    if (url.endsWith('/take')) return sendJson(response, 200, { deliveries: taken.splice(0), expires_at: 'T' })
    sendJson(response, 200, method === 'DELETE' ? { success: true } : { subscription_id: ID, signing_secret: 'whsec_x', expires_at: 'T' })
  })
})

afterEach(async () => {
  await program.close()
  await stage.close()
})

const listen = (...options: string[]) =>
  stage.run(['listen', '--forward-to', `${program.url}/hooks`, ...options], { env: stage.env, interrupt: ctrlC.signal })
const results = () => stage.insights.received.filter(({ url }) => url === `${LISTENER}/attempts`).map(({ body }) => JSON.parse(body))

describe('listen', () => {
  it('forwards the same headers and bytes, reports the result, and deletes the subscription at the end', async () => {
    const running = listen('--json')
    await eventually(() => expect(results()).toHaveLength(1))
    ctrlC.abort()
    const { code, out } = await running
    expect(code).toBe(0)
    expect(program.received).toMatchObject([{ method: 'POST', url: '/hooks', headers: HEADERS, body: BODY }])
    expect(results()).toEqual([{ delivery_id: ID, attempt: 1, status: 200, failure: null, duration_ms: expect.any(Number) }])
    expect(stage.insights.received[0]?.body).toBe('{"events":["user_tasks_limit_80","user_tasks_limit_100"]}')
    expect(stage.insights.received.at(-1)).toMatchObject({ method: 'DELETE', url: `/partners/api/insights/subscriptions/${ID}/` })
    const lines = out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { subscription_id: ID, signing_secret: 'whsec_x' },
      {
        delivery_id: ID,
        event_name: 'user_tasks_limit_80',
        user_id: 'zoë',
        attempt: 1,
        status: 200,
        failure: null,
        duration_ms: expect.any(Number),
      },
    ])
  })

  it('reports a program that does not run', async () => {
    await program.close()
    const running = listen('--events', 'user_tasks_limit_5')
    await eventually(() => expect(results()).toMatchObject([{ status: null, failure: 'unreachable' }]))
    ctrlC.abort()
    expect((await running).out).toContain('user_id=zoë  attempt=1  failure=unreachable')
    expect(stage.insights.received[0]?.body).toBe('{"events":["user_tasks_limit_5"]}')
  })

  it('goes on after Onward was down', async () => {
    outages = 3
    const running = listen()
    await eventually(() => expect(program.received).toHaveLength(1))
    ctrlC.abort()
    expect(await running).toMatchObject({ code: 0, err: expect.stringContaining('down; trying again\n') })
  })

  it('ends with code 1 when the listener has expired', async () => {
    stage.insights.respond(({ url }, response) => {
      if (url.endsWith('/take')) return sendJson(response, 404, { error: 'expired', error_details: [], code: 'subscription_not_found' })
      sendJson(response, 200, { subscription_id: ID, signing_secret: 'whsec_x', expires_at: 'T' })
    })
    expect(await listen()).toMatchObject({ code: 1, err: expect.stringContaining('error: expired\n') })
  })

  it.each([['localhost:4000'], ['ftp://localhost/'], ['http://']])('refuses to forward to %s', async (url) => {
    expect(await stage.run(['listen', '--forward-to', url])).toMatchObject({
      code: 2,
      err: 'error: --forward-to must be an http or https URL\n',
    })
    expect(stage.requests()).toEqual([])
  })
})
