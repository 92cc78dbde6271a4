/** Numbers row after row, `width` to a row. */
export type Table = { readonly width: number; readonly cells: Float32Array }

export function rowOf({ width, cells }: Table, number: number): Float32Array {
  return cells.subarray(number * width, (number + 1) * width)
}

export function rowsOf(table: Table): Float32Array[] {
  return Array.from({ length: table.cells.length / table.width }, (_, i) => rowOf(table, i))
}
