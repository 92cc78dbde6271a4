/** The numbers of the highest scores above zero, best first; a tie goes to the lower number. */
export function bestOf(scores: Float32Array, width: number): number[] {
  const kept: number[] = []
  let bar = 0
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number
    if (score <= bar) continue
    let at = kept.length
    while (at > 0 && (scores[kept[at - 1] as number] as number) < score) at--
    kept.splice(at, 0, i)
    if (kept.length > width) kept.pop()
    if (kept.length === width) bar = scores[kept[width - 1] as number] as number
  }
  return kept
}
