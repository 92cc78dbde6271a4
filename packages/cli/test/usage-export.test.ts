import { sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let final: boolean

beforeEach(async () => {
  stage = await openStage()
  final = true
  const pages = [
    { users: [{ app_key: 'app-1', user_id: '=ann', tasks: 3 }], _cursor: 'more' },
    { users: [{ app_key: 'app-2', user_id: 'b,"c"', tasks: 4 }], _cursor: null },
  ]
  stage.insights.respond(({ url }, response) => {
    if (!url.includes('/usage/')) return sendJson(response, 200, { workspaces: [{ workspace_id: 'acme' }, { workspace_id: 'zeta' }] })
    const page = url.includes('zeta') ? { users: [], _cursor: null } : pages[url.includes('_cursor=more') ? 1 : 0]
    return sendJson(response, 200, { month: '2026-02', final, final_at: '2026-04-05T01:00:00.000Z', ...page })
  })
})

afterEach(() => stage.close())

describe('usage export', () => {
  it('prints the tasks of all users of a month as CSV', async () => {
    const { code, out, err } = await stage.run(['usage', 'export', '--month', '2026-02'])
    expect(out.split('\n')).toEqual([
      'month,workspace_id,app_key,user_id,tasks,final',
      `2026-02,acme,app-1,'=ann,3,true`,
      '2026-02,acme,app-2,"b,""c""",4,true',
      '',
    ])
    expect([code, err]).toEqual([0, '7 tasks of 2 users\n'])
  })

  it('prints JSON lines of one workspace with the ids as they are, and says if the month is not final', async () => {
    final = false
    const args = ['usage', 'export', '--month', '2026-02', '--workspace', 'acme', '--app-key', 'app-1', '--format', 'ndjson']
    const { out, err } = await stage.run(args)
    const lines = out.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { month: '2026-02', workspace_id: 'acme', app_key: 'app-1', user_id: '=ann', tasks: 3, final: false },
      { month: '2026-02', workspace_id: 'acme', app_key: 'app-2', user_id: 'b,"c"', tasks: 4, final: false },
    ])
    expect(err).toContain('not final: tasks of the month can still be counted until 2026-04-05T01:00:00.000Z\n')
    expect(stage.insights.received.every(({ url }) => url.includes('/acme/usage/') && url.includes('app_key=app-1'))).toBe(true)
  })

  it('needs a workspace for one application', async () => {
    const { code, err } = await stage.run(['usage', 'export', '--month', '2026-02', '--app-key', 'app-1'])
    expect([code, err]).toEqual([2, expect.stringContaining('--app-key needs --workspace')])
  })
})
