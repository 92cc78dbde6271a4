import { ModelError } from './model-error.ts'

/** More numbers than any model gives. */
const MAX_LENGTH = 8_192

/** The vectors of an embeddings answer in the order of the texts. Throws a ModelError `rubbish`. */
export function readVectors(answer: unknown, count: number): number[][] {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data) || data.length !== count) throw new ModelError('rubbish')
  const vectors: number[][] = []
  for (const [place, item] of data.entries()) {
    const { index = place, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    if (!isVector(embedding) || typeof index !== 'number' || vectors[index] !== undefined) throw new ModelError('rubbish')
    vectors[index] = embedding
  }
  const length = vectors[0]?.length
  if (vectors.length !== count || !vectors.every((vector) => vector.length === length)) throw new ModelError('rubbish')
  return vectors
}

function isVector(value: unknown): value is number[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LENGTH) return false
  return value.every((each) => Number.isFinite(each)) && value.some((each) => each !== 0)
}
