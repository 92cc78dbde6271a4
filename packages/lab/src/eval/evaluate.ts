import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl, dropDatabase, ensureDatabase } from '@onward/dev-env'
import { evaluateBaseline } from './baseline.ts'
import { askFunctions, type Place, withFunctions } from './functions.ts'
import { hasArguments, type Scores, type SetReport, scoreSet } from './score-set.ts'
import type { EvalSet } from './sets.ts'

export type Run = Pick<Place, 'root' | 'work' | 'queueUrl'> & {
  readonly postgresUrl: string
  readonly leaveOneOut: boolean
  /** Receives progress lines. */
  readonly tell: (line: string) => void
}

/** Scores each set: the baseline, the shipped ranker and, with `leaveOneOut`, a ranker trained on the other sets. */
export async function evaluate(sets: readonly EvalSet[], run: Run): Promise<SetReport[]> {
  const twice = sets.find(({ name }, at) => sets.findIndex((other) => other.name === name) !== at)
  if (twice !== undefined) throw new Error(`two sets are named ${twice.name}`)
  const reports: SetReport[] = []
  for (const set of sets) {
    run.tell(`${set.name}: ${set.queries.length} queries`)
    const report = {
      set: set.name,
      functions: set.documents.length,
      prompts: set.ranked ? set.queries.length : 0,
      calls: set.queries.filter(hasArguments).length,
      baseline: evaluateBaseline(set),
      shipped: await evaluateSet(set, run),
      ...(run.leaveOneOut && set.trainedAs !== undefined
        ? { left_out: await evaluateSet(set, run, await trainWithout(set.trainedAs, sets, run)) }
        : {}),
    }
    run.tell(JSON.stringify(report))
    reports.push(report)
  }
  return reports
}

/** Scores a set over HTTP, with its own database. `ranker` is a folder with a ranker instead of the shipped one. */
async function evaluateSet(set: EvalSet, { postgresUrl, ...run }: Run, ranker?: string): Promise<Scores> {
  const name = `eval_${process.pid}_${Date.now().toString(36)}`
  await ensureDatabase(postgresUrl, name)
  try {
    const place = { ...run, databaseUrl: databaseUrl(postgresUrl, name), queuePrefix: `{${name}}`, ranker }
    return scoreSet(await withFunctions(set.apps, place, (user) => askFunctions(user, set)))
  } finally {
    await dropDatabase(postgresUrl, name)
  }
}

/** Trains a ranker on all sets except one, with the script that made the shipped ranker. Returns its folder. */
async function trainWithout(leftOut: string, sets: readonly EvalSet[], { root, work }: Run): Promise<string> {
  const folder = join(work, `without-${leftOut}`)
  await mkdir(folder, { recursive: true })
  const folders = sets.flatMap((set) => (set.folder === undefined ? [] : [set.folder]))
  const script = join(root, 'packages/lab/src/train/main.ts')
  const child = spawn(process.execPath, [...process.execArgv, script, '--leave-out', leftOut, '--out', folder, '--sets', ...folders], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`training without ${leftOut} failed: ${said.trim()}`)
  return folder
}
