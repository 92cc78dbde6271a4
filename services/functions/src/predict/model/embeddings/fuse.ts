import type { Ranked } from '@onward/predict'

/** The usual constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009). */
const K = 60

/**
 * Two rankings as one, by reciprocal rank; where they are even the offline one decides. Confidences stay with the places: how sure the offline
 * ranking is of its first, its second …; no embedding says so.
 */
export function fuse(offline: readonly Ranked[], nearest: readonly number[]): Ranked[] {
  if (nearest.length === 0) return [...offline]
  const scores = new Map<number, number>()
  for (const numbers of [offline.map(({ number }) => number), nearest]) {
    for (const [place, number] of numbers.entries()) scores.set(number, (scores.get(number) ?? 0) + 1 / (K + 1 + place))
  }
  const confidences = offline.map(({ confidence }) => confidence).sort((a, b) => b - a)
  const least = confidences.at(-1) ?? 0
  return [...scores].sort(([, a], [, b]) => b - a).map(([number], place) => ({ number, confidence: confidences[place] ?? least }))
}
