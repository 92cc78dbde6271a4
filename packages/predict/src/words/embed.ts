import type { Vectors } from './vectors.ts'

/** The direction of a text as a unit vector; all zero when none of its words is known. A word counts once. */
export function embed(vectors: Vectors, words: Iterable<string>): Float32Array {
  const sum = new Float32Array(vectors.dims)
  for (const word of new Set(words)) {
    const number = vectors.find(word)
    if (number >= 0) vectors.add(sum, number)
  }
  return normalize(sum)
}

/** To length one, in place. */
export function normalize(vector: Float32Array): Float32Array {
  let sum = 0
  for (const x of vector) sum += x * x
  const length = Math.sqrt(sum) || 1
  for (let d = 0; d < vector.length; d++) vector[d] = (vector[d] as number) / length
  return vector
}
