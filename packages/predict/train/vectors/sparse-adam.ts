/** So that what few texts speak of stays near what the words of its kind have. */
const DECAY = 2e-5

/** Adam over a table of which each step touches some rows: `slopes` are those of `rows`, one after the other. Rows that are not touched stay as they are. */
export function sparseAdam(table: Float32Array, width: number): (rows: readonly number[], slopes: Float32Array, rate: number) => void {
  const first = new Float32Array(table.length)
  const second = new Float32Array(table.length)
  return (rows, slopes, rate) => {
    for (const [i, row] of rows.entries()) {
      for (let d = 0, at = row * width; d < width; d++, at++) {
        const slope = (slopes[i * width + d] as number) + DECAY * (table[at] as number)
        const m = 0.9 * (first[at] as number) + 0.1 * slope
        const v = 0.99 * (second[at] as number) + 0.01 * slope * slope
        first[at] = m
        second[at] = v
        table[at] = (table[at] as number) - (rate * m) / (Math.sqrt(v) + 1e-7)
      }
    }
  }
}
