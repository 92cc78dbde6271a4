import type { Steps } from '../in-slices.ts'
import { embed, normalize, product, type Vectors } from '../words/vectors.ts'

/** The meanings of functions: unit vectors of the differences from the mean of all functions. */
export type Meaning = {
  /** Returns the meaning of a text, or undefined when none of its words is known. */
  read(words: readonly string[]): Int8Array | undefined
  /** Writes an approximate cosine of a text with each function, from the first half of the dims. */
  guess(text: Int8Array, scores: Float32Array): void
  /** Returns the cosine of a text with one function. */
  cosine(text: Int8Array, number: number): number
}

/** Maps -0.45 to 0.45 to int8; few components of a unit vector are larger, and those are clipped. */
const STEPS = 127 / 0.45
const SQUARED = STEPS * STEPS

/** `rows` are unit vectors. Yields so that other work can run in between. */
export function* buildMeaning(rows: readonly Float32Array[], vectors: Vectors): Steps<Meaning> {
  const { dims } = vectors
  const half = dims >> 1
  const mean = new Float32Array(dims)
  for (const row of rows) {
    for (let d = 0; d < dims; d++) (mean[d] as number) += (row[d] as number) / rows.length
    yield
  }
  const cells = new Int8Array(rows.length * dims)
  // The first halves are stored together, so that `guess` reads half the memory.
  const halves = new Int8Array(rows.length * half)
  const direction = new Float32Array(dims)
  for (const [i, row] of rows.entries()) {
    writeFromMean(row, cells, i * dims)
    halves.set(cells.subarray(i * dims, i * dims + half), i * half)
    yield
  }

  function writeFromMean(row: Float32Array, into: Int8Array, at: number): void {
    for (let d = 0; d < dims; d++) direction[d] = (row[d] as number) - (mean[d] as number)
    normalize(direction)
    for (let d = 0; d < dims; d++) into[at + d] = Math.max(-127, Math.min(127, Math.round((direction[d] as number) * STEPS)))
  }

  return {
    read(words) {
      const raw = embed(vectors, words)
      if (raw.every((x) => x === 0)) return undefined
      const text = new Int8Array(dims)
      writeFromMean(raw, text, 0)
      return text
    },
    guess(text, scores) {
      for (let i = 0; i < scores.length; i++) scores[i] = product(halves, i * half, text, 0, half) / SQUARED
    },
    cosine: (text, number) => product(cells, number * dims, text, 0, dims) / SQUARED,
  }
}
