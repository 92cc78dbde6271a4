import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { makeTemplates, openParts } from '@onward/dev-env'
import type { Bench } from './bench.ts'

/** `pnpm bench <name> [--option n]`: one benchmark on parts of its own. */
const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  enforcement: async () => (await import('./enforcement/bench.ts')).bench,
  webhooks: async () => (await import('./webhooks/bench.ts')).bench,
  hanging: async () => (await import('./hanging/bench.ts')).bench,
  'webhook-speed': async () => (await import('./webhook-speed/bench.ts')).bench,
  model: async () => (await import('./model/bench.ts')).bench,
  races: async () => (await import('./races/bench.ts')).bench,
  partitions: async () => (await import('./partitions/bench.ts')).bench,
  list: async () => (await import('./list/bench.ts')).bench,
  bulk: async () => (await import('./bulk/bench.ts')).bench,
  predict: async () => (await import('./predict/bench.ts')).bench,
  past: async () => (await import('./past/bench.ts')).bench,
  'late-events': async () => (await import('./late-events/bench.ts')).bench,
}

const root = fileURLToPath(new URL('../../..', import.meta.url))
const say = (line: string) => process.stdout.write(`${line}\n`)

process.exitCode = await main(process.argv.slice(2)).catch((err: unknown) => {
  say(err instanceof Error ? (err.stack ?? err.message) : String(err))
  return 1
})

async function main([name = '', ...args]: string[]): Promise<number> {
  const load = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
  if (load === undefined) {
    for (const [each, bench] of Object.entries(BENCHES)) say(`${each.padEnd(14)} ${(await bench()).summary}`)
    return name === '' ? 0 : 1
  }
  const bench = await load()
  const { options, folders } = readOptions(bench, args)
  const dir = join(root, `.onward/bench-${name}`)
  const parts = await openParts({ dir, cacheDir: join(root, '.onward/parts'), env: process.env, throwAway: true, say: () => {} })
  const stop = () => void parts.stop().then(() => process.exit(1))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    process.env.ONWARD_TEST_POSTGRES_URL = parts.postgresUrl
    if (parts.queueUrl.startsWith('redis')) process.env.ONWARD_TEST_REDIS_URL = parts.queueUrl
    const { postgresUrl, queueUrl, postgresFrom, queueFrom } = parts
    say(`${name} ${JSON.stringify(options)}; Node ${process.versions.node}, ${cpus().length} cores; ${postgresFrom}; ${queueFrom}`)
    await makeTemplates(postgresUrl)
    await bench.run({ postgresUrl, queueUrl, parts: [postgresFrom, queueFrom], say }, options, folders)
    return 0
  } finally {
    await parts.stop()
  }
}

function readOptions(bench: Bench, args: string[]): { options: Record<string, number>; folders: readonly string[] } {
  const names = Object.keys(bench.options)
  const { values, positionals } = parseArgs({
    args,
    options: Object.fromEntries(names.map((each) => [each, { type: 'string' as const }])),
    allowPositionals: bench.takesFolders === true,
  })
  const options = Object.fromEntries(
    names.map((each) => {
      const value = values[each] === undefined ? bench.options[each] : Number(values[each])
      if (value === undefined || !Number.isSafeInteger(value) || value < 0) throw new Error(`--${each} takes a whole number`)
      return [each, value]
    }),
  )
  return { options, folders: positionals }
}
