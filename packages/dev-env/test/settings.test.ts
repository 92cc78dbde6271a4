import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { SETTINGS as functions } from '@onward/functions'
import { SETTINGS as insights } from '@onward/insights'
import { parse } from 'yaml'

const run = promisify(execFile)
const SERVICES = { functions, insights }

it('infra/CONFIG.md is what infra/make-config.mjs prints', async () => {
  const { stdout } = await run(process.execPath, ['--conditions=source', '--import', 'tsx', 'infra/make-config.mjs'])
  expect(await readFile('infra/CONFIG.md', 'utf8')).toBe(stdout)
  for (const name of Object.keys({ ...functions, ...insights })) expect(stdout).toContain(`| \`${name}\``)
})

it('docker-compose.yml passes only settings to the services', async () => {
  const { services } = parse(await readFile('docker-compose.yml', 'utf8'), { merge: true })
  for (const [name, settings] of Object.entries(SERVICES)) {
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(services[name].environment)))
  }
})

it('the services read no variable that is not in their tables', async () => {
  const { stdout } = await run('git', [
    'grep',
    '-hoE',
    '\\benv\\.[A-Z][A-Z_]+|\\(env, .[A-Z][A-Z_]+',
    '--',
    'services/*/src',
    'packages/runtime/src',
  ])
  const names = new Set(stdout.match(/[A-Z][A-Z_]+/g))
  expect(names.size).toBeGreaterThan(5)
  expect([...names].filter((name) => !(name in functions) && !(name in insights))).toEqual([])
})
