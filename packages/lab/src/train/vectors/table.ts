import { EigenvalueDecomposition, Matrix } from 'ml-matrix'

/** A matrix, row by row; `width` is the number of columns. */
export type Table = { readonly width: number; readonly cells: Float32Array }

export function rowOf({ width, cells }: Table, number: number): Float32Array {
  return cells.subarray(number * width, (number + 1) * width)
}

export function rowsOf(table: Table): Float32Array[] {
  return Array.from({ length: table.cells.length / table.width }, (_, i) => rowOf(table, i))
}

/** Directions from a mean, the most important first. */
export type Axes = { readonly mean: Float64Array; readonly axes: readonly Float64Array[] }

/** Returns the first `count` principal components of the rows. */
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

/** Projects the rows of a table onto axes. */
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

const MAX_CELL = 127

/** Returns the content of `vectors.bin`: each row as whole numbers from -127 to 127 with a scale; see `readVectors`. */
export function vectorsFile(vectors: Table): Uint8Array {
  const rows = rowsOf(vectors)
  const { width: dims } = vectors
  const file = new Uint8Array(8 + rows.length * (4 + dims))
  const view = new DataView(file.buffer)
  view.setUint32(0, dims, true)
  view.setUint32(4, rows.length, true)
  const cells = new Int8Array(file.buffer, 8 + 4 * rows.length)
  for (const [i, row] of rows.entries()) {
    const scale = Math.max(1e-9, ...row.map(Math.abs)) / MAX_CELL
    view.setFloat32(8 + 4 * i, scale, true)
    cells.set(
      row.map((x) => Math.round(x / scale)),
      i * dims,
    )
  }
  return file
}
