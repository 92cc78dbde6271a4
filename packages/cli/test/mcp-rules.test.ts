import { ID } from './command-cases.ts'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

describe('the option --rules', () => {
  const rules = [{ destructive: true, result: 'deny' }]
  const stdin = JSON.stringify({ rules })
  const run = (args: readonly string[], input = stdin) => stage.run(['mcp', ...args, '--rules', '-', '--user', 'joe'], { stdin: input })

  it('gives a new token rules', async () => {
    answers(stage.functions, { id: ID, token: 'mcp_x', rules, settings: { claude_code: 'claude mcp add' } })
    const { code, out } = await run(['add', '--mode', 'search', '--json'])
    expect([code, JSON.parse(out).rules]).toEqual([0, rules])
    expect(stage.requests()).toEqual([['functions', 'POST', '/mcp/tokens', { mode: 'search', rules }]])
  })

  it('adds rules to a token', async () => {
    answers(stage.functions, { id: ID, client: null, rules })
    expect((await run(['narrow', ID])).code).toBe(0)
    expect(stage.requests()).toEqual([['functions', 'PATCH', `/mcp/tokens/${ID}`, { rules }]])
  })

  it('refuses a file without rules, and sends nothing', async () => {
    const { code, err } = await run(['narrow', ID], JSON.stringify(rules[0]))
    expect([code, err, stage.requests()]).toEqual([2, 'error: - must contain {"rules": […]}\n', []])
  })
})
