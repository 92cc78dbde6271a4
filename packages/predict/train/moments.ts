export type Weighed = { readonly rows: readonly ArrayLike<number>[]; readonly weight: number }

/** Mean and standard deviation of each column; each list counts by its weight, however many rows it has. */
export function momentsOf(lists: readonly Weighed[], count: number): { means: Float64Array; deviations: Float64Array } {
  const filled = lists.filter(({ rows }) => rows.length > 0)
  const whole = filled.reduce((sum, { weight }) => sum + weight, 0)
  const means = average((row, k) => row[k] as number)
  const squares = average((row, k) => ((row[k] as number) - (means[k] as number)) ** 2)
  return { means, deviations: squares.map((x) => Math.sqrt(x) || 1) }

  function average(cell: (row: ArrayLike<number>, k: number) => number): Float64Array {
    const sums = new Float64Array(count)
    for (const { rows, weight } of filled) {
      for (const row of rows) for (let k = 0; k < count; k++) (sums[k] as number) += (weight * cell(row, k)) / rows.length / whole
    }
    return sums
  }
}
