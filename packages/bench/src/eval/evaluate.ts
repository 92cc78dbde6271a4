import { join } from 'node:path'
import { evaluateBaseline } from './baseline/evaluate-baseline.ts'
import { evaluateSet } from './evaluate-set.ts'
import { hasArguments } from './score/score-set.ts'
import type { EvalSet } from './sets/set.ts'
import { trainWithout } from './train-without.ts'
import type { SetReport } from './write-table.ts'

export type Run = {
  /** The checkout. */
  readonly root: string
  /** A folder for what is made on the way, with the empty folder `no-apps` in it. */
  readonly work: string
  readonly postgresUrl: string
  readonly queueUrl: string
  readonly leaveOneOut: boolean
  /** Is told what is done now. */
  readonly tell: (line: string) => void
}

/** Scores each set: the baseline, the ranker as shipped and, where wanted, one that was trained on the other sets. */
export async function evaluate(sets: readonly EvalSet[], run: Run): Promise<SetReport[]> {
  const twice = sets.find(({ name }, at) => sets.findIndex((other) => other.name === name) !== at)
  if (twice !== undefined) throw new Error(`two sets are named ${twice.name}`)
  const stores = { ...run, noApps: join(run.work, 'no-apps') }
  const reports: SetReport[] = []
  for (const set of sets) {
    run.tell(`${set.name}: ${set.queries.length} queries`)
    const report = {
      set: set.name,
      functions: set.documents.length,
      prompts: set.ranked ? set.queries.length : 0,
      calls: set.queries.filter(hasArguments).length,
      baseline: evaluateBaseline(set),
      shipped: await evaluateSet(set, stores),
      ...(run.leaveOneOut && set.trainedAs !== undefined
        ? { left_out: await evaluateSet(set, stores, await trainWithout(set.trainedAs, sets, run)) }
        : {}),
    }
    run.tell(JSON.stringify(report))
    reports.push(report)
  }
  return reports
}
