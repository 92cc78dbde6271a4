import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
  for (const server of [stage.functions, stage.insights]) answers(server, { success: true, deleted: true })
})

afterEach(() => stage.close())

describe('a command that deletes', () => {
  it.each<[string, string[]]>([
    ['subscriptions delete', ['s1']],
    ['account disconnect', ['shop', '7']],
    ['oauth-client remove', ['shop', 'slack']],
    ['application mcp-client remove', ['shop', 'c1']],
    ['catalog remove', ['desk']],
  ])('asks on a terminal, but not with --yes or without a terminal: %s', async (command, names) => {
    const args = [...command.split(' '), ...names]
    const name = names.at(-1) ?? ''
    const refused = await stage.run(args, { isTTY: true, stdin: 'no\n' })
    expect(refused).toEqual({ code: 2, out: '', err: `Type ${name} to delete it: error: cancelled\n` })
    expect(stage.requests()).toEqual([])

    for (const world of [{ isTTY: true, stdin: `${name}\n` }, { isTTY: true, more: ['--yes'] }, {}, { more: ['--yes'] }]) {
      const { more = [], ...rest }: { more?: string[]; isTTY?: boolean; stdin?: string } = world
      expect(await stage.run([...args, ...more], rest)).toMatchObject({ code: 0 })
    }
    expect(stage.requests()).toHaveLength(4)
  })
})
