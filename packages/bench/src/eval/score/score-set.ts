import { quantile } from '../../partner/quantile.ts'
import type { Query } from '../sets/set.ts'
import { rankOf } from './rank-of.ts'
import { type ArgumentScore, scoreArguments } from './score-arguments.ts'
import { type RankScores, scoreRanking } from './score-ranking.ts'

/** What the service answered to one query, in the set's own names. */
export type Outcome = {
  readonly query: Query
  /** Best first; none: it abstained. */
  readonly ranked: readonly string[]
  /** Of the first of `ranked`. */
  readonly arguments: Readonly<Record<string, unknown>>
  /** Of the right function, where the query has arguments. */
  readonly given: Readonly<Record<string, unknown>>
  /** Undefined where the ranking was not asked for. */
  readonly ms: number | undefined
}

/** Shares from 0 to 1; null of nothing. */
export type Scores = {
  readonly ranking: RankScores | null
  /** Of the prompts that a function fits: how many were told that none does. */
  readonly abstained: number | null
  /** Of the prompts that no function fits. */
  readonly refused: number | null
  /** All arguments right and none more, of the queries with arguments; the gold function given. */
  readonly exact_given: number | null
  /** The first function right too. */
  readonly exact_end_to_end: number | null
  /** With the gold function given. */
  readonly parameter_precision: number | null
  readonly parameter_recall: number | null
  readonly ms_p50: number | null
  readonly ms_p95: number | null
}

export function scoreSet(outcomes: readonly Outcome[]): Scores {
  const asked = outcomes.filter(({ ms }) => ms !== undefined)
  const fitting = asked.filter(({ query }) => query.gold.length > 0)
  const unfitting = asked.filter(({ query }) => query.gold.length === 0)
  const withArguments = outcomes.filter(({ query }) => hasArguments(query))
  const given = withArguments.map((each) => scoreArguments(each.given, each.query))
  const endToEnd = withArguments.filter(({ ms }) => ms !== undefined)
  const sum = (key: 'right' | 'given' | 'wanted') => given.reduce((total, score) => total + score[key], 0)
  const times = asked.map(({ ms }) => ms as number)
  return {
    ranking: scoreRanking(fitting.map(({ query, ranked }) => rankOf(query.gold, ranked))),
    abstained: share(fitting.map(({ ranked }) => ranked.length === 0)),
    refused: share(unfitting.map(({ ranked }) => ranked.length === 0)),
    exact_given: share(given.map(({ exact }) => exact)),
    exact_end_to_end: share(endToEnd.map((each) => rankOf(each.query.gold, each.ranked) === 1 && exactly(each).exact)),
    parameter_precision: sum('given') === 0 ? null : sum('right') / sum('given'),
    parameter_recall: sum('wanted') === 0 ? null : sum('right') / sum('wanted'),
    ms_p50: times.length === 0 ? null : quantile(times, 0.5),
    ms_p95: times.length === 0 ? null : quantile(times, 0.95),
  }
}

export function hasArguments(query: Query): boolean {
  return query.gold.length > 0 && (query.accept ?? query.arguments) !== null
}

function exactly({ query, arguments: args }: Outcome): ArgumentScore {
  return scoreArguments(args, query)
}

function share(claims: readonly boolean[]): number | null {
  return claims.length === 0 ? null : claims.filter((claim) => claim).length / claims.length
}
