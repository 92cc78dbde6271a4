/** A column of the words' rows says how much they weigh: e to this power of it. It learns faster than a direction does. */
const SPEED = 4
const MOST = 6

/** How much a word counts in a text: by the last number of its row. */
export function gainOf(row: Float32Array): number {
  return Math.exp(Math.max(-MOST, Math.min(MOST, SPEED * (row[row.length - 1] as number))))
}

/**
 * The cosine of a text's words, each a row of a direction and a weight, with what the teacher says of the text (a unit vector).
 * Adds to `slopes`, rows like those of the words, how `share` of the cosine's loss changes with them.
 */
export function addSlopes(rows: readonly Float32Array[], target: Float32Array, slopes: readonly Float32Array[], share: number): number {
  const dims = target.length
  const gains = rows.map(gainOf)
  const sum = new Float64Array(dims)
  for (const [i, row] of rows.entries()) for (let d = 0; d < dims; d++) (sum[d] as number) += (gains[i] as number) * (row[d] as number)
  const length = Math.sqrt(sum.reduce((all, x) => all + x * x, 0)) + 1e-6
  const cosine = sum.reduce((all, x, d) => all + x * (target[d] as number), 0) / length
  const slope = sum.map((x, d) => (-share * ((target[d] as number) - (cosine * x) / length)) / length)
  for (const [i, into] of slopes.entries()) {
    const row = rows[i] as Float32Array
    const gain = gains[i] as number
    let along = 0
    for (let d = 0; d < dims; d++) {
      ;(into[d] as number) += gain * (slope[d] as number)
      along += (slope[d] as number) * (row[d] as number)
    }
    ;(into[dims] as number) += SPEED * gain * along
  }
  return cosine
}
