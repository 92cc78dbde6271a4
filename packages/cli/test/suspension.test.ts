import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const row = {
  workspace_id: 'acme',
  app_key: 'crm',
  user_id: 'joe',
  state: 'suspended',
  reason: 'Unpaid.',
  by_operator: false,
  suspended_at: '2026-11-29T20:00:00.000Z',
}

describe('suspension', () => {
  it('set suspends a user, an application or a workspace, and shows what is suspended', async () => {
    answers(stage.functions, { suspensions: [row] })
    const { code, out } = await stage.run(['suspension', 'set', 'acme', '--app-key', 'crm', '--user', 'joe', '--reason', 'Unpaid.'])
    const body = { workspace_id: 'acme', app_key: 'crm', user_id: 'joe', state: 'suspended', reason: 'Unpaid.' }
    expect(stage.requests()).toEqual([['functions', 'PUT', '/admin/suspensions', body]])
    expect(out).toMatch(/^WORKSPACE_ID +APP_KEY +USER_ID +STATE +REASON .*\nacme +crm +joe +suspended +Unpaid\./)
    expect(code).toBe(0)
  })

  it('set can let a workspace only read, and needs a reason', async () => {
    answers(stage.functions, { suspensions: [] })
    await stage.run(['suspension', 'set', 'acme', '--state', 'read_only', '--reason', 'Being moved.'])
    const body = { workspace_id: 'acme', state: 'read_only', reason: 'Being moved.' }
    expect(stage.requests()).toEqual([['functions', 'PUT', '/admin/suspensions', body]])
    const { code, err } = await stage.run(['suspension', 'set', 'acme'])
    expect([code, err]).toEqual([2, expect.stringContaining('--reason')])
  })

  it('end sends active and says if nothing was suspended, and list reads one workspace', async () => {
    answers(stage.functions, { previous_state: 'active', suspensions: [] })
    const ended = await stage.run(['suspension', 'end', 'acme', '--app-key', 'crm'])
    expect(ended).toMatchObject({ code: 0, err: expect.stringContaining('this was not suspended') })
    await stage.run(['suspension', 'list', '--workspace', 'acme'])
    expect(stage.requests()).toEqual([
      ['functions', 'PUT', '/admin/suspensions', { workspace_id: 'acme', app_key: 'crm', state: 'active' }],
      ['functions', 'GET', '/admin/suspensions?workspace_id=acme'],
    ])
  })
})
