import { finish, type Steps } from '../in-slices.ts'
import { stem } from './stems.ts'

const { imul } = Math

/** Word vectors. The length of a vector is the weight of the word in a sentence; its direction is the meaning. */
export type Vectors = WordNumbers & {
  readonly dims: number
  readonly count: number
  /** Adds the vector of a word to `sum`, `times` times. */
  add(sum: Float32Array, number: number, times?: number): void
  /** Returns the cosine similarity of two words. */
  cosine(number: number, other: number): number
}

/**
 * Reads word vectors. `table` holds a header (dims: uint32, count: uint32, little-endian), then count scales (float32), then count × dims
 * int8. dims is a multiple of eight; the first half of the dims holds most of the meaning. `wordList` holds one word per vector, the most
 * frequent first. Throws when the two do not match. Yields so that other work can run in between.
 */
export function* readVectors(table: Uint8Array, wordList: readonly string[]): Steps<Vectors> {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const dims = view.getUint32(0, true)
  const count = view.getUint32(4, true)
  if (count !== wordList.length || table.byteLength !== 8 + count * (4 + dims) || dims % 8 !== 0) {
    throw new Error(`${wordList.length} words do not fit a table of ${count} vectors with ${dims} dims in ${table.byteLength} bytes`)
  }
  const scales = Float32Array.from({ length: count }, (_, i) => view.getFloat32(8 + 4 * i, true))
  const cells = new Int8Array(table.buffer, table.byteOffset + 8 + 4 * count, count * dims)
  const lengths = new Float32Array(count)
  for (let i = 0; i < count; i++) {
    lengths[i] = lengthOf(cells.subarray(i * dims, (i + 1) * dims))
    if (i % STEP === 0) yield
  }
  return {
    ...(yield* numbersOf(wordList)),
    dims,
    count,
    add(sum, number, times = 1) {
      const scale = (scales[number] as number) * times
      for (let d = 0, at = number * dims; d < dims; d++) sum[d] = (sum[d] as number) + scale * (cells[at + d] as number)
    },
    cosine: (number, other) =>
      product(cells, number * dims, cells, other * dims, dims) / ((lengths[number] as number) * (lengths[other] as number)),
  }
}

/** Returns the dot product of two int8 vectors. Four independent sums let the processor work in parallel. */
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

export type WordNumbers = {
  /** Returns the number of a word, or of its stem; -1 when neither is known. */
  find(word: string): number
  /** Returns the number of a word itself, or -1. */
  place(word: string): number
  /** Returns the number of the most frequent word with this stem, or -1. */
  findStem(stem: string): number
}

/** Numbers the words of a list by position, the most frequent first. */
export function numberWords(wordList: readonly string[]): WordNumbers {
  return finish(numbersOf(wordList))
}

/** The number of words between two yields. */
const STEP = 500

function* numbersOf(wordList: readonly string[]): Steps<WordNumbers> {
  const numbers = new Map<string, number>()
  const byStem = new Map<string, number>()
  for (const [i, word] of wordList.entries()) {
    numbers.set(word, i)
    const root = stem(word)
    if (!byStem.has(root)) byStem.set(root, i)
    if (i % STEP === 0) yield
  }
  return {
    place: (word) => numbers.get(word) ?? -1,
    find: (word) => numbers.get(word) ?? byStem.get(stem(word)) ?? -1,
    findStem: (root) => byStem.get(root) ?? -1,
  }
}

/** Returns the direction of a text as a unit vector, or zeros when none of its words is known. Each distinct word counts once. */
export function embed(vectors: Vectors, words: Iterable<string>): Float32Array {
  const sum = new Float32Array(vectors.dims)
  for (const word of new Set(words)) {
    const number = vectors.find(word)
    if (number >= 0) vectors.add(sum, number)
  }
  return normalize(sum)
}

/** Scales a vector to length one, in place. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0
  for (const x of vector) sum += x * x
  const length = Math.sqrt(sum) || 1
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) / length
  return vector
}
