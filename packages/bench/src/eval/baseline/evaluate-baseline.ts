import { rankOf } from '../score/rank-of.ts'
import { type RankScores, scoreRanking } from '../score/score-ranking.ts'
import type { EvalSet } from '../sets/set.ts'
import { rankByWords } from './rank-by-words.ts'

/** What the lexical baseline reaches; null where a set is not for ranking. */
export function evaluateBaseline({ documents, queries, ranked }: EvalSet): RankScores | null {
  if (!ranked) return null
  const rank = rankByWords(documents)
  return scoreRanking(queries.flatMap(({ prompt, gold }) => (prompt === null || gold.length === 0 ? [] : [rankOf(gold, rank(prompt))])))
}
