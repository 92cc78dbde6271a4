import { numberWords, type WordNumbers } from './number-words.ts'

const { imul } = Math

/** Word vectors: a vector's length is what the word counts in a sentence, its direction what it means. */
export type Vectors = WordNumbers & {
  readonly dims: number
  /** Adds a word's weighted vector to a sum. */
  add(sum: Float32Array, number: number): void
  /** The cosine of two words. */
  cosine(number: number, other: number): number
}

/**
 * Reads word vectors. `table` is a header (dims: uint32, count: uint32, little-endian), then count scales (float32), then count × dims int8;
 * dims is a multiple of eight, and the first half of the dims tells most. `wordList` has a word for each, the most frequent first. Throws when the two do not fit together.
 */
export function readVectors(table: Uint8Array, wordList: readonly string[]): Vectors {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const dims = view.getUint32(0, true)
  const count = view.getUint32(4, true)
  if (count !== wordList.length || table.byteLength !== 8 + count * (4 + dims) || dims % 8 !== 0) {
    throw new Error(`${wordList.length} words do not fit a table of ${count} vectors with ${dims} dims in ${table.byteLength} bytes`)
  }
  const scales = Float32Array.from({ length: count }, (_, i) => view.getFloat32(8 + 4 * i, true))
  const cells = new Int8Array(table.buffer, table.byteOffset + 8 + 4 * count, count * dims)
  const lengths = Float32Array.from({ length: count }, (_, i) => lengthOf(cells.subarray(i * dims, (i + 1) * dims)))
  return {
    ...numberWords(wordList),
    dims,
    add(sum, number) {
      const scale = scales[number] as number
      for (let d = 0, at = number * dims; d < dims; d++) sum[d] = (sum[d] as number) + scale * (cells[at + d] as number)
    },
    cosine: (number, other) =>
      product(cells, number * dims, cells, other * dims, dims) / ((lengths[number] as number) * (lengths[other] as number)),
  }
}

/** The dot product of two runs of small whole numbers. Four sums side by side: one alone would wait for itself. */
export function product(a: Int8Array, atA: number, b: Int8Array, atB: number, dims: number): number {
  let [w, x, y, z] = [0, 0, 0, 0]
  for (let d = 0; d < dims; d += 4) {
    w = (w + imul(a[atA + d] as number, b[atB + d] as number)) | 0
    x = (x + imul(a[atA + d + 1] as number, b[atB + d + 1] as number)) | 0
    y = (y + imul(a[atA + d + 2] as number, b[atB + d + 2] as number)) | 0
    z = (z + imul(a[atA + d + 3] as number, b[atB + d + 3] as number)) | 0
  }
  return w + x + y + z
}

function lengthOf(cells: Int8Array): number {
  return Math.sqrt(cells.reduce((sum, x) => sum + x * x, 0)) || 1
}
