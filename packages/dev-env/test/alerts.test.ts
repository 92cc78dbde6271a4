import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { parse } from 'yaml'
import { runCommand, type Terminal } from '../../cli/src/index.ts'
import { libraryFolders, unpackDebian } from '../src/parts/debian.ts'
import { allows } from '../src/parts/part.ts'
import { findProgram, isProgram, runProgram } from '../src/parts/programs.ts'

type Rule = {
  alert?: string
  expr: string
  for?: string
  labels?: { severity: string }
  annotations?: { summary: string; runbook_url: string }
}

let rules: (Rule & { alert: string })[]
/** The sections of RUNBOOKS.md by their anchors. */
let runbooks: Map<string, string>

beforeAll(async () => {
  const { groups } = parse(await readFile('infra/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] }
  rules = groups.flatMap((group) => group.rules).filter((rule): rule is Rule & { alert: string } => rule.alert !== undefined)
  const [, ...sections] = (await readFile('infra/RUNBOOKS.md', 'utf8')).split(/^## /m)
  runbooks = new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')).toLowerCase(), section]))
})

it('every alert has a severity, a sentence, and a runbook of its own that says where to look, what to fix and how to verify', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { alert, for: wait, labels, annotations } of rules) {
    expect([alert, labels?.severity]).toEqual([alert, expect.stringMatching(/^(critical|warning|info)$/)])
    expect([alert, annotations?.summary]).toEqual([alert, expect.stringMatching(/^[A-Z].{20,}\.$/)])
    expect([alert, annotations?.runbook_url]).toEqual([alert, `RUNBOOKS.md#${alert.toLowerCase()}`])
    expect([alert, wait]).toEqual([alert, wait === undefined ? undefined : expect.stringMatching(/^\d+[mhd]$/)])
    expect(runbooks.get(alert.toLowerCase())).toMatch(/^- \*\*Look\*\*: [\s\S]+^- \*\*Fix\*\*[\s\S]+^- \*\*Verify\*\*: /m)
  }
  expect([...runbooks.keys()]).toEqual(rules.map(({ alert }) => alert.toLowerCase()))
})

it('the commands of the runbooks exist with their options, and the services that they name', async () => {
  const { services } = parse(await readFile('docker-compose.yml', 'utf8')) as { services: Record<string, unknown> }
  const commands = [...runbooks.values()].flatMap((section) =>
    [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) => text.trim().split('\n')),
  )
  expect(commands.length).toBeGreaterThan(10)
  for (const command of commands) {
    const [program, ...words] = command.split(' ')
    if (program === 'onward') {
      const path = command.slice('onward '.length).split(' -')[0]?.split(' ') ?? []
      const help = await helpOf(path)
      expect(help).toContain(`Usage: onward ${path.join(' ')} `)
      for (const option of words.filter((word) => word.startsWith('--')))
        expect([command, help]).toEqual([command, expect.stringContaining(`${option} `)])
    } else {
      expect(command).toMatch(/^docker compose (ps|up --detach|(logs --tail 50|exec) \w+)/)
      const [, named = ''] = /^docker compose (?:logs --tail 50|exec) ((?:[a-z]+ ?)+)/.exec(command) ?? []
      for (const service of named.split(' ').filter((word) => word !== '' && word !== 'nginx')) expect(services).toHaveProperty(service)
    }
  }
})

/** Returns what `onward … --help` prints. */
async function helpOf(path: readonly string[]): Promise<string> {
  let printed = ''
  const output = new Writable({
    write(chunk, _encoding, done) {
      printed += String(chunk)
      done()
    },
  })
  const terminal: Terminal = {
    env: {},
    cwd: '/',
    stdin: noInput(),
    stdout: output,
    stderr: output,
    now: () => new Date(),
    onInterrupt() {},
  }
  await runCommand([...path, '--help'], terminal)
  return printed
}

async function* noInput(): AsyncGenerator<string> {}

it('each alert has a test for promtool', async () => {
  const tested = await readFile('infra/alerts.test.yml', 'utf8')
  expect(rules.map(({ alert }) => alert).filter((alert) => !tested.includes(`"${alert}"`))).toEqual([])
})

/** Returns promtool of this machine, or of Debian's package of Prometheus; undefined, with the reason printed, if it cannot be had. */
async function findPromtool(): Promise<{ readonly file: string; readonly env: NodeJS.ProcessEnv } | undefined> {
  const { env } = process
  const installed = findProgram(env, 'promtool')
  if (installed !== undefined) return { file: installed, env }
  const root = join(process.cwd(), '.onward/parts/prometheus')
  const file = join(root, 'usr/bin/promtool')
  try {
    if (!allows(env, 'apt')) throw new Error('ONWARD_SKIP forbids apt')
    if (!isProgram(file)) await unpackDebian(root, [['prometheus']], env)
  } catch (err) {
    process.stderr.write(`The alerts are not tested, because promtool cannot be downloaded: ${(err as Error).message}\n`)
    return undefined
  }
  return { file, env: { PATH: env.PATH, LD_LIBRARY_PATH: (await libraryFolders(root)).join(':') } }
}

it('each alert fires in its outage and not without it, as promtool reads the rules', async () => {
  const found = await findPromtool()
  if (found === undefined) return
  const promtool = (...args: string[]) => runProgram(found.file, args, { env: found.env, timeoutMs: 300_000 })
  expect(await promtool('check', 'rules', join(process.cwd(), 'infra/alerts.yml'))).toContain('SUCCESS')
  expect(await promtool('test', 'rules', join(process.cwd(), 'infra/alerts.test.yml'))).toContain('SUCCESS')
})

it('each query of the dashboards is valid PromQL', async () => {
  const found = await findPromtool()
  if (found === undefined) return
  const files = (await readdir('infra/dashboards')).map(async (name) => await readFile(`infra/dashboards/${name}`, 'utf8'))
  const queries = (await Promise.all(files)).flatMap((text) =>
    [...text.matchAll(/"expr": (".*")/g)].map(([, expr = '']) => String(JSON.parse(expr))),
  )
  expect(queries.length).toBeGreaterThan(30)
  const rules = queries.map((expr, n) => ({ record: `query:${n}`, expr: expr.replaceAll('$__rate_interval', '5m') }))
  const folder = await mkdtemp(join(tmpdir(), 'onward-queries-'))
  const file = join(folder, 'rules.yml')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  expect(await runProgram(found.file, ['check', 'rules', file], { env: found.env, timeoutMs: 300_000 })).toContain('SUCCESS')
  await rm(folder, { recursive: true })
}, 900_000)
