/** Another order (Fisher and Yates), in place. */
export function shuffle<T>(values: T[], draw: () => number): T[] {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1))
    const kept = values[i] as T
    values[i] = values[j] as T
    values[j] = kept
  }
  return values
}
