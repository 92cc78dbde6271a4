import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openParts } from '@onward/dev-env'
import { machine } from '../rig/command-line.ts'
import { measureConnectedOnly } from './connected-only.ts'
import { evaluate } from './evaluate.ts'
import { evaluateOld } from './evaluate-old.ts'
import { measureLabelled } from './labelled.ts'
import { builtInSets, readSet } from './sets.ts'
import { writeReliability, writeTable, writeTyped } from './table.ts'
import { measureTyped, measureTypedBaseline, typedReport } from './typed.ts'

const USAGE = `pnpm eval [--set DIR …] [--built-in] [--leave-one-out] [--before COMMIT] [--json]
A set is a folder with catalog.jsonl and queries.jsonl, as packages/predict/README.md describes them. Without --set: the built-in apps alone.`

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const APPS = join(root, 'packages/catalog/apps')
const WEIGHTS = join(root, 'packages/predict/weights')
const CASES = join(root, 'packages/predict/test/cases')
const tell = (line: string) => void process.stderr.write(`${line}\n`)
const write = (text: string) => void process.stdout.write(`${text}\n`)

process.exitCode = await main(process.argv.slice(2)).catch((err: unknown) => {
  tell(err instanceof Error ? err.message : String(err))
  return 1
})

/** Scores predict over HTTP, beside a lexical baseline. `--set a b` and `--set a --set b` mean the same. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      set: { type: 'string', multiple: true, default: [] },
      'built-in': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      before: { type: 'string' },
      'leave-one-out': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (positionals.length > 0 && values.set.length === 0) throw new Error(`${positionals[0]}: folders come after --set`)
  const folders = [...values.set, ...positionals]
  if (values['leave-one-out'] && folders.length === 0) throw new Error('--leave-one-out needs other sets to train on: give --set')
  if (values.help) {
    write(USAGE)
    return 0
  }
  if (folders.length === 0) tell(USAGE)
  const own = values['built-in'] || folders.length === 0 ? await builtInSets(root) : []
  const sets = [...(await Promise.all(folders.map(readSet))), ...own]
  const dir = join(root, '.onward/eval')
  const parts = await openParts({ dir, cacheDir: join(root, '.onward/parts'), env: process.env, throwAway: true, say: () => {} })
  const stop = () => void parts.stop().then(() => process.exit(130))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const work = join(dir, 'work')
  try {
    await rm(work, { recursive: true, force: true })
    await mkdir(join(work, 'no-apps'), { recursive: true })
    const { postgresUrl, queueUrl } = parts
    const reports = await evaluate(sets, { root, work, postgresUrl, queueUrl, leaveOneOut: values['leave-one-out'], tell })
    const documents = own[0]?.documents
    const typed = documents && (await measureTyped(APPS, WEIGHTS, 'blind'))
    if (documents !== undefined && typed !== undefined) {
      reports.push(...(await measureLabelled(APPS, WEIGHTS, CASES, documents)))
      reports.push(typedReport('blind', typed, await measureTypedBaseline(documents, 'blind')))
    }
    const connectedOnly = documents && (await measureConnectedOnly(APPS, WEIGHTS))
    const given = [...folders.flatMap((folder) => ['--set', resolve(folder)]), ...(own.length === 0 ? [] : ['--built-in'])]
    const env = { ...process.env, DATABASE_URL: postgresUrl, REDIS_URL: queueUrl }
    const before = values.before === undefined ? new Map() : await evaluateOld(root, values.before, given, env)
    const compared = reports.map((report) => ({ ...report, ...(before.has(report.set) ? { before: before.get(report.set) } : {}) }))
    if (values.json) write(JSON.stringify({ machine: machine(), sets: compared, connected_only: connectedOnly, typed }, null, 2))
    else {
      const reliability = connectedOnly === undefined ? '' : `\n\nPredictions among connected apps:\n\n${writeReliability(connectedOnly)}`
      const asTyped = typed === undefined ? '' : `\n\nPrompts as people type them, blind half:\n\n${writeTyped(typed)}`
      write(`${writeTable(compared)}${reliability}${asTyped}\n\n\`${['pnpm eval', ...args].join(' ')}\`, ${machine()}.`)
    }
    return 0
  } finally {
    await rm(work, { recursive: true, force: true })
    await parts.stop()
  }
}
