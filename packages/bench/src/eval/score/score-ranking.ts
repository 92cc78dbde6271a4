export type RankScores = {
  readonly recall_at_1: number
  readonly recall_at_5: number
  /** Mean of 1/rank, 0 beyond the first ten. */
  readonly mrr: number
}

/** From the rank of each prompt's right function, 0 where it is not among the answered; null of none. */
export function scoreRanking(ranks: readonly number[]): RankScores | null {
  if (ranks.length === 0) return null
  const within = (most: number) => ranks.filter((rank) => rank > 0 && rank <= most).length / ranks.length
  const inverse = ranks.map((rank) => (rank > 0 && rank <= 10 ? 1 / rank : 0))
  return { recall_at_1: within(1), recall_at_5: within(5), mrr: inverse.reduce((total, each) => total + each, 0) / ranks.length }
}
