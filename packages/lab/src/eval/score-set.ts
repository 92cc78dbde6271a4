import { quantile } from '../numbers.ts'
import { scoreArguments } from './score-arguments.ts'
import type { Query } from './sets.ts'

/** What the service answered to one query, in the set's own names. */
export type Outcome = {
  readonly query: Query
  /** Best first. Empty: the service abstained. */
  readonly ranked: readonly string[]
  /** Arguments of the first of `ranked`. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Arguments of the right function, where the query has arguments. */
  readonly given: Readonly<Record<string, unknown>>
  /** Undefined where no ranking was asked for. */
  readonly ms: number | undefined
}

export type RankScores = {
  readonly recall_at_1: number
  readonly recall_at_5: number
  /** Mean of 1/rank; 0 beyond the first ten. */
  readonly mrr: number
}

/** Shares from 0 to 1; null where nothing was asked. */
export type Scores = {
  readonly ranking: RankScores | null
  /** Share of the prompts with a fitting function that got no function. */
  readonly abstained: number | null
  /** The same for prompts without a fitting function. */
  readonly refused: number | null
  /** Share of the queries with arguments whose arguments are all right, none more, when the right function is given. */
  readonly exact_given: number | null
  /** The same when the service chooses the function, which must be right too. */
  readonly exact_end_to_end: number | null
  /** With the right function given. */
  readonly parameter_precision: number | null
  readonly parameter_recall: number | null
  readonly ms_p50: number | null
  readonly ms_p95: number | null
}

/** The scores of one set. */
export type SetReport = {
  readonly set: string
  readonly functions: number
  readonly prompts: number
  /** Number of queries with arguments. */
  readonly calls: number
  readonly baseline: RankScores | null
  readonly shipped: Scores
  /** With a ranker trained on the other sets. */
  readonly left_out?: Scores
  /** Of the version in `--before`. */
  readonly before?: Scores
}

export const NOT_MEASURED: Scores = {
  ranking: null,
  abstained: null,
  refused: null,
  exact_given: null,
  exact_end_to_end: null,
  parameter_precision: null,
  parameter_recall: null,
  ms_p50: null,
  ms_p95: null,
}

export function scoreSet(outcomes: readonly Outcome[]): Scores {
  const asked = outcomes.filter(({ ms }) => ms !== undefined)
  const fitting = asked.filter(({ query }) => query.gold.length > 0)
  const unfitting = asked.filter(({ query }) => query.gold.length === 0)
  const withArguments = outcomes.filter(({ query }) => hasArguments(query))
  const given = withArguments.map((each) => scoreArguments(each.given, each.query))
  const endToEnd = withArguments.filter(({ ms }) => ms !== undefined)
  const sum = (key: 'right' | 'given' | 'wanted') => given.reduce((total, score) => total + score[key], 0)
  const times = asked.flatMap(({ ms }) => ms ?? [])
  return {
    ranking: scoreRanking(fitting.map(({ query, ranked }) => rankOf(query.gold, ranked))),
    abstained: share(fitting.map(({ ranked }) => ranked.length === 0)),
    refused: share(unfitting.map(({ ranked }) => ranked.length === 0)),
    exact_given: share(given.map(({ exact }) => exact)),
    exact_end_to_end: share(
      endToEnd.map(({ query, ranked, arguments: args }) => rankOf(query.gold, ranked) === 1 && scoreArguments(args, query).exact),
    ),
    parameter_precision: sum('given') === 0 ? null : sum('right') / sum('given'),
    parameter_recall: sum('wanted') === 0 ? null : sum('right') / sum('wanted'),
    ms_p50: times.length === 0 ? null : quantile(times, 0.5),
    ms_p95: times.length === 0 ? null : quantile(times, 0.95),
  }
}

/** Returns the scores of ranks as `rankOf` returns them, or null if there are none. */
export function scoreRanking(ranks: readonly number[]): RankScores | null {
  if (ranks.length === 0) return null
  const within = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length
  const inverse = ranks.map((rank) => (rank > 0 && rank <= 10 ? 1 / rank : 0))
  return { recall_at_1: within(1), recall_at_5: within(5), mrr: inverse.reduce((total, each) => total + each, 0) / ranks.length }
}

/** Returns the rank of the first right function, from 1, or 0 if none is ranked. Case and punctuation of names do not matter. */
export function rankOf(gold: readonly string[], ranked: readonly string[]): number {
  const right = new Set(gold.map(keyOf))
  return ranked.findIndex((name) => right.has(keyOf(name))) + 1
}

export function keyOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

export function hasArguments(query: Query): boolean {
  return query.gold.length > 0 && (query.accept ?? query.arguments) !== null
}

/** Returns the share of true claims, from 0 to 1; null if there are none. */
export function share(claims: readonly boolean[]): number | null {
  return claims.length === 0 ? null : claims.filter((claim) => claim).length / claims.length
}
