import { embed, normalize } from '../words/embed.ts'
import { product, type Vectors } from '../words/vectors.ts'

/** The functions' meanings as directions from their mean. */
export type Meaning = {
  /** What a text means; undefined when none of its words is known. */
  read(words: readonly string[]): Int8Array | undefined
  /** Writes roughly what the cosine of a text with each function is: from the half of the dims that tell most. */
  guess(text: Int8Array, scores: Float32Array): void
  /** The cosine of a text with one function. */
  cosine(text: Int8Array, number: number): number
}

/** A unit vector's numbers seldom pass 0.45: what does is cut. */
const STEPS = 127 / 0.45
const SQUARED = STEPS * STEPS

/** `rows` are unit vectors. Yields where other work may come between. */
export function* buildMeaning(rows: readonly Float32Array[], vectors: Vectors): Generator<void, Meaning> {
  const { dims } = vectors
  const half = dims >> 1
  const mean = new Float32Array(dims)
  for (const row of rows) {
    for (let d = 0; d < dims; d++) (mean[d] as number) += (row[d] as number) / rows.length
    yield
  }
  const cells = new Int8Array(rows.length * dims)
  // The halves lie together, so that a guess reads half the memory.
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
