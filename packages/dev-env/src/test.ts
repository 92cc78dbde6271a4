import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMemoryFolder } from './memory-folder.ts'
import { openParts } from './parts/open-parts.ts'
import { makeTemplates } from './templates.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Most of what a test allocates is garbage soon. With a larger young generation, V8 seldom copies it. */
const YOUNG = ['--max-semi-space-size=64']
const say = (line: string) => process.stderr.write(`${line}\n`)

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())

process.exitCode = await run().catch((err: unknown) => {
  say(err instanceof Error ? err.message : String(err))
  return 1
})

/** Runs `npm test`: finds or starts Postgres and a queue server, creates the template databases, runs jest, and stops what it started. */
async function run(): Promise<number> {
  const parts = await openParts({
    dir: (await openMemoryFolder(root)) ?? join(root, '.onward/test'),
    cacheDir: join(root, '.onward/parts'),
    env: process.env,
    throwAway: true,
    say,
  })
  try {
    const removeTemplates = await makeTemplates(parts.postgresUrl)
    const code = await runJest(parts.postgresUrl, parts.queueUrl)
    await removeTemplates()
    return code
  } finally {
    await parts.stop()
  }
}

function runJest(postgresUrl: string, queueUrl: string): Promise<number> {
  const redisUrl = queueUrl.startsWith('redis') ? queueUrl : ''
  if (redisUrl === '') say('No Redis found: queues are tested on Postgres only.')
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const child = spawn(process.execPath, ['--conditions=source', ...YOUNG, jest, ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ONWARD_TEST_POSTGRES_URL: postgresUrl, ONWARD_TEST_REDIS_URL: redisUrl },
  })
  stop.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
