import { sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

let stage: Stage
let final: boolean

beforeEach(async () => {
  stage = await openStage()
  final = true
  const pages = [
    { users: [{ user_id: 'ann', tasks: 3 }], _cursor: 'more' },
    { users: [{ user_id: 'b,"c"', tasks: 4 }], _cursor: null },
  ]
  stage.insights.respond(({ url }, response) => {
    if (url.includes('/usage/')) {
      const page = url.includes('app-2') ? { users: [], _cursor: null } : pages[url.includes('_cursor=more') ? 1 : 0]
      return sendJson(response, 200, { month: '2026-02', final, final_at: '2026-04-05T01:00:00.000Z', ...page })
    }
    const of = (app_key: string, workspace_id: string | null) => ({ app_key, workspace_id, limit_period: 30, on_limit: 'allow' })
    sendJson(response, 200, { applications: [of('app-1', 'acme'), of('app-2', 'acme'), of('app-3', null)] })
  })
})

afterEach(() => stage.close())

describe('usage export', () => {
  it('prints the tasks of all users of a month as CSV', async () => {
    const { code, out, err } = await stage.run(['usage', 'export', '--month', '2026-02'])
    expect(out).toBe('month,workspace_id,app_key,user_id,tasks,final\n2026-02,acme,app-1,ann,3,true\n2026-02,acme,app-1,"b,""c""",4,true\n')
    expect([code, err]).toEqual([0, '7 tasks of 2 users\n'])
    expect(stage.insights.received.some(({ url }) => url.includes('app-3'))).toBe(false)
  })

  it('prints JSON lines, of one application, and says if the month is not final', async () => {
    final = false
    const { out, err } = await stage.run(['usage', 'export', '--month', '2026-02', '--app-key', 'app-1', '--format', 'ndjson'])
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { month: '2026-02', workspace_id: 'acme', app_key: 'app-1', user_id: 'ann', tasks: 3, final: false },
      { month: '2026-02', workspace_id: 'acme', app_key: 'app-1', user_id: 'b,"c"', tasks: 4, final: false },
    ])
    expect(err).toContain('not final: tasks of the month can still be counted until 2026-04-05T01:00:00.000Z\n')
    expect(stage.insights.received.some(({ url }) => url.includes('app-2'))).toBe(false)
  })
})
