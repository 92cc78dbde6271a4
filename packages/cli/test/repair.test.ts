import { sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

describe('quarantine list', () => {
  const item = (id: number) => ({
    id,
    created_at: '2026-03-10T11:00:00.000Z',
    app_key: 'shop',
    reason: 'user_id: must not be empty',
    job_id: 'j',
    event: `{"id":${id}}`,
  })

  it('shows a table of the matching events, page by page', async () => {
    stage.insights.respond(({ url }, response) => {
      const on = url.includes('_cursor=next')
      sendJson(response, 200, {
        quarantined: Array.from({ length: on ? 3 : 200 }, (_, i) => item(i + (on ? 200 : 0))),
        _cursor: on ? null : 'next',
      })
    })
    const { code, out } = await stage.run(['quarantine', 'list', '--app-key', 'shop', '--reason', 'user id', '--limit', '203'])
    expect(stage.requests()).toEqual([
      ['insights', 'GET', '/admin/quarantine?app_key=shop&reason=user+id&page_size=200'],
      ['insights', 'GET', '/admin/quarantine?app_key=shop&reason=user+id&page_size=3&_cursor=next'],
    ])
    const lines = out.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      'ID   CREATED_AT                APP_KEY  REASON                      EVENT',
      '0    2026-03-10T11:00:00.000Z  shop     user_id: must not be empty  {"id":0}',
    ])
    expect([code, lines.length]).toEqual([0, 205])
  })
})

describe('quarantine replay', () => {
  it('adds up the pages with --all', async () => {
    stage.insights.respond(({ body }, response) => {
      const on = body.includes('next')
      sendJson(response, 200, { counted: on ? 1 : 150, repeated: 2, refused: on ? 0 : 48, _cursor: on ? null : 'next' })
    })
    const { out } = await stage.run(['quarantine', 'replay', '--all', '--json'])
    expect(JSON.parse(out)).toEqual({ counted: 151, repeated: 4, refused: 48 })
    expect(stage.requests()).toEqual([
      ['insights', 'POST', '/admin/quarantine/replay', {}],
      ['insights', 'POST', '/admin/quarantine/replay', { _cursor: 'next' }],
    ])
  })

  it('sends each given id once', async () => {
    answers(stage.insights, { counted: 2, repeated: 0, refused: 0, _cursor: null })
    await stage.run(['quarantine', 'replay', '7', '9', '7'])
    expect(stage.requests()).toEqual([['insights', 'POST', '/admin/quarantine/replay', { ids: [7, 9] }]])
  })

  it.each([[[]], [['7', '--all']], [['x']], [['0']]])('is called wrongly with %j', async (args) => {
    expect((await stage.run(['quarantine', 'replay', ...args])).code).toBe(2)
    expect(stage.requests()).toEqual([])
  })
})

describe('quarantine drop', () => {
  it('drops each given event', async () => {
    answers(stage.insights, { success: true })
    const { out } = await stage.run(['quarantine', 'drop', '7', '9'])
    expect(out).toBe('dropped  2\n')
    expect(stage.requests()).toEqual([
      ['insights', 'DELETE', '/admin/quarantine/7'],
      ['insights', 'DELETE', '/admin/quarantine/9'],
    ])
  })
})

describe('rebuild-usage', () => {
  const page = { users: 5_000, periods: 6_000, days: 9_000, differing: 2, corrected: 2 }

  it('reads all pages and prints the sum', async () => {
    stage.insights.respond(({ body }, response) => sendJson(response, 200, { ...page, _cursor: body.includes('next') ? null : 'next' }))
    const { code, out, err } = await stage.run(['rebuild-usage', '--app-key', 'shop'])
    expect(out.split('\n')).toEqual(['users      10000', 'periods    12000', 'days       18000', 'differing  4', 'corrected  4', ''])
    expect([code, err]).toEqual([0, '5000 users, 2 differing\n'])
    expect(stage.requests()).toEqual([
      ['insights', 'POST', '/admin/usage/rebuild', { app_key: 'shop', dry_run: false, _cursor: null }],
      ['insights', 'POST', '/admin/usage/rebuild', { app_key: 'shop', dry_run: false, _cursor: 'next' }],
    ])
  })

  it.each([
    [2, 1, 'error: 2 periods and days differ from their task events\n'],
    [0, 0, ''],
  ])('ends a dry run that found %i differences with code %i', async (differing, code, err) => {
    answers(stage.insights, { ...page, differing, corrected: 0, _cursor: null })
    expect(await stage.run(['rebuild-usage', '--dry-run'])).toMatchObject({ code, err })
    expect(stage.requests()).toEqual([['insights', 'POST', '/admin/usage/rebuild', { dry_run: true, _cursor: null }]])
  })
})

describe('retention run', () => {
  it('lists what both services created, dropped and deleted', async () => {
    answers(stage.functions, { made: ['call_log_202604'], dropped: [], deleted: [{ table: 'call_log_default', rows: 0 }] })
    answers(stage.insights, { made: [], dropped: ['task_event_20260201'], deleted: [{ table: 'quarantine', rows: 7 }] })
    const { out } = await stage.run(['retention', 'run'])
    expect(out.split('\n')).toEqual([
      'SERVICE    CHANGE        TABLE                ROWS',
      'functions  made          call_log_202604      -',
      'insights   dropped       task_event_20260201  -',
      'insights   deleted rows  quarantine           7',
      '',
    ])
    expect(stage.requests()).toEqual([
      ['functions', 'POST', '/admin/retention/run'],
      ['insights', 'POST', '/admin/retention/run'],
    ])
  })

  it('prints a message when there was nothing to do', async () => {
    for (const server of [stage.functions, stage.insights]) answers(server, { made: [], dropped: [], deleted: [] })
    expect(await stage.run(['retention', 'run'])).toEqual({ code: 0, out: '', err: 'none found\n' })
  })
})

describe('reseal', () => {
  it('asks both services until nothing is left', async () => {
    stage.functions.respond((_received, response) => {
      const first = stage.requests().length === 1
      sendJson(response, 200, { resealed: first ? 5_000 : 3, complete: !first })
    })
    answers(stage.insights, { resealed: 2, complete: true })
    const { code, out } = await stage.run(['reseal', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      services: [
        { service: 'functions', resealed: 5_003 },
        { service: 'insights', resealed: 2 },
      ],
    })
    const reseal = (service: string) => [service, 'POST', '/admin/secrets/reseal']
    expect(stage.requests()).toEqual([reseal('functions'), reseal('functions'), reseal('insights')])
  })
})
