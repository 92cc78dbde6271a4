import { type ScriptedServer, sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

/** An entry of the given minute: its id, a UUIDv7, is greater the later it is. */
const entry = (minute: number) => ({
  id: `0199a0b2-${String(minute).padStart(4, '0')}-7000-8000-000000000000`,
  at: `2026-03-10T11:${String(minute % 60).padStart(2, '0')}:00.000Z`,
  actor: { kind: 'person', id: 'p-1', name: 'ann@example.com' },
  workspace_id: 'acme',
  action: 'application.change',
  target: { app_key: 'shop' },
  request_id: 'r-1',
  address: '192.0.2.1',
  user_agent: null,
  outcome: 'done',
  code: null,
  before: null,
  after: { name: 'Shop', rate: 12345678901234567890n },
})

/** Sets the log of a service, newest first. The cursor of a page is the index of its end. */
function serveLog(service: ScriptedServer, minutes: readonly number[]): void {
  service.respond(({ url }, response) => {
    const query = new URL(url, 'http://log').searchParams
    const from = Number(query.get('_cursor') ?? 0)
    const to = Math.min(from + Number(query.get('page_size')), minutes.length)
    const entries = minutes.slice(from, to).map(entry)
    const text = JSON.stringify({ entries, _cursor: to < minutes.length ? String(to) : null }, (_name, value) =>
      typeof value === 'bigint' ? '<<12345678901234567890>>' : value,
    )
    response.end(text.replaceAll(/"<<(\d+)>>"/g, '$1'))
  })
}

const idOf = (minute: number) => entry(minute).id
const documents = (out: string) =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; service: string })

describe('audit list', () => {
  it('shows the newest entries of both services, and who they are of', async () => {
    serveLog(stage.functions, [9, 7])
    serveLog(stage.insights, [8, 6])
    const { code, out, err } = await stage.run(['audit', 'list', '--limit', '3'])
    expect(stage.requests()).toEqual(['functions', 'insights'].map((name) => [name, 'GET', '/admin/audit?page_size=3']))
    const row = (minute: number, service: string) =>
      `2026-03-10T11:0${minute}:00.000Z  ${service}  ann@example.com  acme          application.change  {"app_key":"shop"}  done     -     ${idOf(minute)}`
    expect(out.split('\n')).toEqual([
      `AT                        SERVICE    ACTOR            WORKSPACE_ID  ACTION              TARGET              OUTCOME  CODE  ID`,
      row(9, 'functions'),
      row(8, 'insights '),
      row(7, 'functions'),
      '',
    ])
    expect([code, err]).toEqual([0, ''])
  })

  it('prints whole entries in one document with --json', async () => {
    serveLog(stage.functions, [1])
    serveLog(stage.insights, [])
    const { out } = await stage.run(['audit', 'list', '--json'])
    expect(JSON.parse(out)).toMatchObject({ entries: [{ service: 'functions', id: idOf(1), actor: entry(1).actor }] })
  })

  it('sends every filter to the service that is asked', async () => {
    answers(stage.insights, { entries: [], _cursor: null })
    const filters = ['--workspace', 'acme', '--actor', 'ann@example.com', '--action', 'member.change', '--outcome', 'denied']
    const times = ['--since', '15m', '--until', '2026-03-10T11:59']
    expect((await stage.run(['audit', 'list', '--service', 'insights', ...filters, ...times])).err).toBe('none found\n')
    const query = Object.fromEntries(new URL(stage.insights.received[0]?.url ?? '', 'http://log').searchParams)
    expect(query).toEqual({
      workspace_id: 'acme',
      actor: 'ann@example.com',
      action: 'member.change',
      outcome: 'denied',
      since: '2026-03-10T11:45:00.000Z',
      until: '2026-03-10T11:59:00.000Z',
      page_size: '50',
    })
    expect(stage.functions.received).toEqual([])
  })

  it.each([
    ['--service', 'proxy'],
    ['--outcome', 'lost'],
    ['--since', 'yesterday'],
    ['--limit', '0'],
  ])('refuses %s %s', async (option, text) => {
    expect(await stage.run(['audit', 'list', option, text])).toMatchObject({ code: 2, out: '' })
    expect(stage.requests()).toEqual([])
  })
})

describe('audit export', () => {
  it('prints all pages of both logs in one order, each entry on a line with its exact numbers', async () => {
    const minutes = Array.from({ length: 900 }, (_, index) => 900 - index)
    serveLog(
      stage.functions,
      minutes.filter((minute) => minute % 3 !== 0),
    )
    serveLog(
      stage.insights,
      minutes.filter((minute) => minute % 3 === 0),
    )
    const { code, out, err } = await stage.run(['audit', 'export'])
    expect([code, err]).toEqual([0, ''])
    expect(documents(out).map(({ id, service }) => [id, service])).toEqual(
      minutes.map((minute) => [idOf(minute), minute % 3 === 0 ? 'insights' : 'functions']),
    )
    expect(out.split('"rate":12345678901234567890}').length).toBe(901)
    expect([stage.functions.received.length, stage.insights.received.length]).toEqual([3, 2])
  })

  it('fails when a page fails, after the entries that came before it', async () => {
    serveLog(stage.insights, [])
    stage.functions.respond(({ url }, response) => {
      if (url.includes('_cursor')) sendJson(response, 503, { error: 'Postgres is down', error_details: [], code: 'unavailable' })
      else sendJson(response, 200, { entries: [{ ...entry(1), after: null }], _cursor: 'next' })
    })
    const { code, out, err } = await stage.run(['audit', 'export'])
    expect([code, documents(out).map(({ id }) => id), err]).toEqual([1, [idOf(1)], 'error: Postgres is down\n'])
  })

  it('prints nothing for an empty log', async () => {
    for (const service of [stage.functions, stage.insights]) answers(service, { entries: [], _cursor: null })
    expect(await stage.run(['audit', 'export'])).toEqual({ code: 0, out: '', err: '' })
  })
})
