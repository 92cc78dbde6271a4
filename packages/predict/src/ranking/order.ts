import type { Index } from './build-index.ts'
import { FEATURES, type Row } from './features.ts'
import type { Query } from './query.ts'

/** A candidate. `share` is its softmax probability among all candidates. */
export type Candidate = {
  readonly number: number
  readonly score: number
  readonly share: number
  readonly row: Row
  /** Whether the prompt names the app of the function. */
  readonly named: boolean
}

/** A prompt with the numbers of its candidates, and a row of `FEATURES` for each. */
export type CandidateRows = { readonly query: Query; readonly pool: readonly number[]; readonly rows: readonly Row[] }

/** The bonus of a candidate whose app the prompt names: other apps win only when they fit much better. */
export const NAMED = 4

/** Returns the candidates, best first. `extra` is added to the learnt score. */
export function order(
  { functions }: Index,
  weights: readonly number[],
  { query, pool, rows }: CandidateRows,
  extra: (number: number) => number = () => 0,
): Candidate[] {
  const scored = pool.map((number, at) => {
    const row = rows[at] as Row
    const named = query.apps.has(functions[number]?.app.name ?? '')
    let score = extra(number) + (named ? NAMED : 0)
    for (let k = 0; k < FEATURES.length; k++) score += (weights[k] as number) * (row[k] as number)
    return { number, score, row, named }
  })
  return bestFirst(scored)
}

/** Sorts candidates by score, and computes the share of each. */
export function bestFirst(scored: readonly Omit<Candidate, 'share'>[]): Candidate[] {
  const most = Math.max(...scored.map(({ score }) => score))
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - most), 0)
  return scored
    .map((each) => ({ ...each, share: Math.exp(each.score - most) / total }))
    .sort((a, b) => b.score - a.score || a.number - b.number)
}
