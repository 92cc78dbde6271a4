/** Adam (Kingma and Ba 2015) for `count` values. Each call updates the values in place by one step against the gradient. */
export function adam(count: number): (values: Float64Array, gradient: Float64Array, rate: number) => void {
  const first = new Float64Array(count)
  const second = new Float64Array(count)
  let time = 0
  return (values, gradient, rate) => {
    time++
    for (let k = 0; k < count; k++) {
      const slope = gradient[k] as number
      const m = 0.9 * (first[k] as number) + 0.1 * slope
      const v = 0.999 * (second[k] as number) + 0.001 * slope * slope
      first[k] = m
      second[k] = v
      values[k] = (values[k] as number) - (rate * (m / (1 - 0.9 ** time))) / (Math.sqrt(v / (1 - 0.999 ** time)) + 1e-8)
    }
  }
}

/** Weight decay: keeps words that occur in few texts near their initial vectors. */
const DECAY = 2e-5

/** Adam for a table in which each step changes only some rows. `slopes` holds the gradients of `rows` one after the other. */
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
