import type { Index } from './build-index.ts'
import { FEATURES, type Row } from './features.ts'
import type { Query } from './query.ts'

/** A candidate. `share` is the softmax over all of them: the ranker's own probability that it is the one. */
export type Candidate = {
  readonly number: number
  readonly score: number
  readonly share: number
  readonly row: Row
  /** Whether the prompt names its app. */
  readonly named: boolean
}

/** A prompt with the candidates for it by number, and a row of `FEATURES` for each. */
export type Asked = { readonly query: Query; readonly pool: readonly number[]; readonly rows: readonly Row[] }

/** What it is worth that the prompt names the app: other apps are out of it, unless they fit much better. */
const NAMED = 4

/** The candidates, best first. `extra` is added to what the weights make of a row. */
export function order(
  { functions }: Index,
  weights: readonly number[],
  { query, pool, rows }: Asked,
  extra: (number: number) => number = () => 0,
): Candidate[] {
  const scored = pool.map((number, at) => {
    const row = rows[at] as Row
    const named = query.apps.has(functions[number]?.app.name ?? '')
    let score = extra(number) + (named ? NAMED : 0)
    for (let k = 0; k < FEATURES.length; k++) score += (weights[k] as number) * (row[k] as number)
    return { number, score, row, named }
  })
  const most = Math.max(...scored.map(({ score }) => score))
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0)
  return scored
    .map((each) => ({ ...each, share: Math.exp(each.score - most) / total }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
}
