import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** Numbers row after row, `width` to a row. */
export type Table = { readonly width: number; readonly cells: Float32Array }

export function rowOf({ width, cells }: Table, number: number): Float32Array {
  return cells.subarray(number * width, (number + 1) * width)
}

export function rowsOf(table: Table): Float32Array[] {
  return Array.from({ length: table.cells.length / table.width }, (_, i) => rowOf(table, i))
}

/** Directions from a mean; those that tell most first. */
export type Axes = { readonly mean: Float64Array; readonly axes: readonly Float64Array[] }

/** The `count` directions in which the rows of a table differ most (principal components). */
export function principalAxes(table: Table, count: number): Axes {
  const { width } = table
  const rows = rowsOf(table)
  const mean = meanOf(table)
  const spread = new Float64Array(width * width)
  for (const row of rows) {
    const apart = Float64Array.from(row, (x, d) => x - (mean[d] as number))
    for (let a = 0; a < width; a++) {
      for (let b = 0; b <= a; b++) (spread[a * width + b] as number) += (apart[a] as number) * (apart[b] as number)
    }
  }
  for (let a = 0; a < width; a++) for (let b = 0; b < a; b++) spread[b * width + a] = spread[a * width + b] as number
  const matrix = Matrix.from1DArray(width, width, spread)
  const { realEigenvalues: sizes, eigenvectorMatrix: vectors } = new EigenvalueDecomposition(matrix, { assumeSymmetric: true })
  const order = sizes.map((_, i) => i).sort((a, b) => (sizes[b] as number) - (sizes[a] as number))
  return { mean, axes: order.slice(0, count).map((i) => Float64Array.from(vectors.getColumn(i))) }
}

export function meanOf(table: Table): Float64Array {
  const mean = new Float64Array(table.width)
  const rows = rowsOf(table)
  for (const row of rows) for (let d = 0; d < mean.length; d++) (mean[d] as number) += (row[d] as number) / rows.length
  return mean
}

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
