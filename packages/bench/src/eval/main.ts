import { mkdir, rm } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openParts } from '@onward/dev-env'
import { evaluate } from './evaluate.ts'
import { type Options, readOptions } from './read-options.ts'
import { builtInSets } from './sets/built-in-sets.ts'
import { readSet } from './sets/read-set.ts'
import { writeTable } from './write-table.ts'

/** `pnpm eval [--set DIR …] [--built-in] [--leave-one-out] [--json]`: how well predict does, over HTTP, beside a lexical baseline. */
const USAGE = `pnpm eval [--set DIR …] [--built-in] [--leave-one-out] [--json]
A set is a folder with catalog.jsonl and queries.jsonl, as packages/predict/README.md describes them. Without --set: the built-in apps alone.`

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const tell = (line: string) => void process.stderr.write(`${line}\n`)

process.exitCode = await main().catch((err: unknown) => {
  tell(err instanceof Error ? err.message : String(err))
  return 1
})

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (options.help) {
    process.stdout.write(`${USAGE}\n`)
    return 0
  }
  if (options.folders.length === 0) tell(USAGE)
  const sets = [...(await Promise.all(options.folders.map(readSet))), ...(options.builtIn ? await builtInSets(root) : [])]
  const dir = join(root, '.onward/eval')
  const parts = await openParts({ dir, cacheDir: join(root, '.onward/parts'), env: process.env, throwAway: true, say: () => {} })
  const stop = () => void parts.stop().then(() => process.exit(130))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const work = join(dir, 'work')
  try {
    await rm(work, { recursive: true, force: true })
    await mkdir(join(work, 'no-apps'), { recursive: true })
    const { postgresUrl, queueUrl } = parts
    const reports = await evaluate(sets, { root, work, postgresUrl, queueUrl, leaveOneOut: options.leaveOneOut, tell })
    process.stdout.write(write(options, reports))
    return 0
  } finally {
    await rm(work, { recursive: true, force: true })
    await parts.stop()
  }
}

function write({ json }: Options, reports: Awaited<ReturnType<typeof evaluate>>): string {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model}`
  const date = new Date().toISOString().slice(0, 10)
  if (json) return `${JSON.stringify({ date, machine, sets: reports }, null, 2)}\n`
  return `${writeTable(reports)}\n\n\`${['pnpm eval', ...process.argv.slice(2)].join(' ')}\`, ${date}, ${machine}.\n`
}
