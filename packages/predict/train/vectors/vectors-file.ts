import { rowsOf, type Table } from './table.ts'

const MOST = 127

/** `vectors.bin` as `readVectors` reads it: each row as whole numbers from -127 to 127 with a scale. */
export function vectorsFile(vectors: Table): Uint8Array {
  const rows = rowsOf(vectors)
  const { width: dims } = vectors
  const file = new Uint8Array(8 + rows.length * (4 + dims))
  const view = new DataView(file.buffer)
  view.setUint32(0, dims, true)
  view.setUint32(4, rows.length, true)
  const cells = new Int8Array(file.buffer, 8 + 4 * rows.length)
  for (const [i, row] of rows.entries()) {
    const scale = Math.max(1e-9, ...row.map(Math.abs)) / MOST
    view.setFloat32(8 + 4 * i, scale, true)
    cells.set(
      row.map((x) => Math.round(x / scale)),
      i * dims,
    )
  }
  return file
}
