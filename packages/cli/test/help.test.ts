import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { COMMANDS } from '../src/commands.ts'
import { openStage, type Stage } from './stage.ts'

const run = promisify(execFile)
const NAMES = Object.values(COMMANDS).flatMap((entries) => Object.keys(entries))

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})

afterAll(() => stage.close())

const lines = (text: string) => text.split('\n').filter(Boolean)

describe('--help', () => {
  it('names every command', async () => {
    const { code, out } = await stage.run(['--help'])
    expect(code).toBe(0)
    expect(NAMES.filter((name) => !out.includes(`\n  ${name} `))).toEqual([])
  })

  it.each(NAMES)('of %s has examples, whose commands and options exist', async (name) => {
    const { out } = await stage.run([name, '--help'])
    const [, examples = ''] = out.split('\nExamples:\n')
    expect(lines(examples).length).toBeGreaterThan(0)
    for (const example of lines(examples)) {
      const [, command = ''] = /(?:^ {2}|\| |<\()onward ([^<>|)#]*)/.exec(example) ?? []
      const words = command
        .replace(/"[^"]*"/g, 'text')
        .trim()
        .split(/\s+/)
      const help = (await stage.run([...words, '--help'])).out
      const hasSubcommands = /^Commands:$/m.test(out)
      const path = words.slice(0, hasSubcommands && words[1]?.startsWith('-') === false ? 2 : 1)
      // These two are commands and groups.
      const isCommand = ['calls', 'usage'].includes(name) && !['find', 'export', 'send'].includes(words[1] ?? '')
      const usage = isCommand ? name : path.join(' ')
      expect(help).toContain(`Usage: onward ${usage} `)
      const missing = words.filter((word) => /^--?[a-z]/.test(word) && !help.includes(` ${word}`))
      expect([example, missing]).toEqual([example, []])
    }
  })

  it('leads from a missing argument to the help', async () => {
    const { err } = await stage.run(['login'])
    expect(err).toBe("error: missing required argument 'url'\n  add --help to see how to use the command\n")
  })

  it('marks required options', async () => {
    const { out } = await stage.run(['application', 'create', '--help'])
    expect(out.replace(/\s+/g, ' ')).toContain('--name <name> display name (required)')
  })
})

describe('a misspelt command', () => {
  it.each([
    [['wrkspace'], "unknown command 'wrkspace'\n(Did you mean workspace?)"],
    [['workspace', 'lsit'], "unknown command 'lsit'\n(Did you mean list?)"],
    [['workspace', 'list', '--jsno'], "unknown option '--jsno'\n(Did you mean --json?)"],
  ])('gets the nearest name: %j', async (args, problem) => {
    const { code, err } = await stage.run(args)
    expect([code, err]).toEqual([2, `error: ${problem}\n  add --help to see how to use the command\n`])
  })
})

describe('completion', () => {
  let home: string

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'onward-home-'))
    await mkdir(join(home, '.config', 'onward'), { recursive: true })
    await writeFile(join(home, '.config', 'onward', 'config.json'), JSON.stringify({ profiles: { production: {}, staging: {} } }))
  })

  afterAll(() => rm(home, { recursive: true }))

  it.each([
    [['work'], ['workspace']],
    [['subscriptions', 'de'], ['delete']],
    [['functions', 'list', '--ty'], ['--type']],
    [
      ['functions', 'list', '--type', ''],
      ['QUERY', 'ACTION', 'PASSTHROUGH'],
    ],
    [['functions', 'list', '--app', ''], []],
    [
      ['application', 'learn-from-use', 'o'],
      ['on', 'off'],
    ],
    [['functions', 'list', '--jso'], ['--json']],
    [['usage', '--profile', 's'], ['staging']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [['nothing', 'x'], []],
  ])('of %j offers %j and sends nothing', async (words, offered) => {
    expect(await stage.run(['__complete', ...words], { env: { HOME: home } })).toEqual({
      code: 0,
      out: offered.map((word) => `${word}\n`).join(''),
      err: '',
    })
    expect(stage.requests()).toEqual([])
  })

  const ZSH = 'compadd() { shift; echo "$@"; }; _files() { echo input; }; compdef() { echo "$@"; }'
  const OPTION = 'words=(onward functions list --ty) CURRENT=4; _onward'
  const FILE = 'words=(onward catalog lint in) CURRENT=4; _onward'
  /** How to load the script of each shell, and to print what the shell completes for an option or a file. */
  const SHELLS = [
    ['bash', 'bash', 'source onward.bash; COMP_WORDS=(onward functions list --ty) COMP_CWORD=3; _onward; echo "$COMPREPLY"', '--type'],
    ['zsh', 'zsh', `${ZSH}; source onward.zsh; ${OPTION}; ${FILE}`, '_onward onward\n--type\ninput'],
    ['zsh, from fpath', 'zsh', `${ZSH}; cp onward.zsh _onward; fpath=($PWD); autoload -Uz _onward; ${OPTION}`, '--type'],
    ['fish', 'fish', 'source onward.fish; complete -C "onward functions list --ty"; complete -C "onward catalog lint in"', '--type\ninput'],
  ] as const

  it.each(SHELLS)('works in %s', async (_how, shell, line, expected) => {
    if (spawnSync(shell, ['--version']).error !== undefined) {
      console.log(`${shell} is not installed, so its completion was not tested`)
      return
    }
    await writeFile(join(home, 'input'), '')
    await writeFile(join(home, `onward.${shell}`), (await stage.run(['completion', shell])).out)
    const fromSources = `exec '${process.execPath}' --conditions=source --import tsx packages/cli/src/main.ts "$@"`
    await writeFile(join(home, 'onward'), `#!/bin/sh\ncd '${resolve('.')}' && ${fromSources}\n`, { mode: 0o755 })
    const { stdout } = await run(shell, ['-c', line], { cwd: home, env: { HOME: home, PATH: `${home}:${process.env.PATH}` } })
    expect(stdout.trim()).toBe(expected)
  })
})
