import type { Axes } from './principal-axes.ts'
import { rowsOf, type Table } from './table.ts'

/** Where the rows of a table lie on axes. */
export function project(table: Table, { mean, axes }: Axes): Table {
  const along = axes.map((axis) => axis.reduce((sum, x, d) => sum + x * (mean[d] as number), 0))
  const cells = new Float32Array((table.cells.length / table.width) * axes.length)
  for (const [i, row] of rowsOf(table).entries()) {
    for (const [k, axis] of axes.entries()) {
      let sum = -(along[k] as number)
      for (let d = 0; d < axis.length; d++) sum += (axis[d] as number) * (row[d] as number)
      cells[i * axes.length + k] = sum
    }
  }
  return { width: axes.length, cells }
}
