import { normalize, type Vectors } from '../words/vectors.ts'
import { hash } from '../words/words.ts'
import type { TypedWord } from './typed-words.ts'

/**
 * Two small networks that give prompts, and texts of functions, a direction each. The directions of a prompt and of the function that it
 * means are similar. A text is the weighted sum of a learnt row per word, times a learnt square matrix.
 */
export type Encoder = {
  readonly dims: number
  prompt(words: readonly TypedWord[]): Int8Array
  text(words: readonly TypedWord[]): Int8Array
}

/** The rows of words that are not in the list of word vectors; the words of a row share it. */
export const HASHED = 4_096
/** A component of a direction in int8. */
const UNIT = 127
/** The square of `UNIT`: the product of two equal directions. */
export const SAME_DIRECTION = UNIT * UNIT

/** Returns the number of a word's row: its number among the vectors, or a hashed one behind them. */
export function rowOf(vectors: Vectors, word: string): number {
  const number = word.startsWith('zz') ? -1 : vectors.find(word)
  if (number >= 0) return number
  return vectors.count + ((hash(word) >>> 0) % HASHED)
}

/** What `encoder.bin` holds. A word without a row has its word vector, times `scale`. */
export type EncoderFile = {
  readonly dims: number
  readonly scale: number
  /** The numbers of the rows that were learnt, ascending. */
  readonly numbers: Uint32Array
  /** For each of these rows, and then for each row of the two matrices: what one step of its cells means. */
  readonly steps: Float32Array
  readonly cells: Int8Array
}

/** The file: dims and the count of rows (uint32, little-endian), scale (float32), numbers, steps, cells. */
export function writeEncoder({ dims, scale, numbers, steps, cells }: EncoderFile): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt32LE(dims, 0)
  head.writeUInt32LE(numbers.length, 4)
  head.writeFloatLE(scale, 8)
  return Buffer.concat([head, ...[numbers, steps, cells].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))])
}

export function readEncoder(bytes: Uint8Array, vectors: Vectors): Encoder {
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const view = new DataView(data)
  const [dims, count, scale] = [view.getUint32(0, true), view.getUint32(4, true), view.getFloat32(8, true)]
  const rows = count + 2 * dims
  const numbers = new Uint32Array(data, 12, count)
  const steps = new Float32Array(data, 12 + 4 * count, rows)
  const cells = new Int8Array(data, 12 + 4 * count + 4 * rows)
  if (dims !== vectors.dims || cells.length !== rows * dims)
    throw new Error('encoder.bin does not fit vectors.bin; train the encoder again')
  const places = new Map(Array.from(numbers, (number, place) => [number, place]))
  const [promptMap, textMap] = [count, count + dims].map((first) => {
    const map = new Float32Array(dims * dims)
    for (let k = 0; k < map.length; k++) map[k] = (cells[first * dims + k] as number) * (steps[first + Math.floor(k / dims)] as number)
    return map
  }) as [Float32Array, Float32Array]

  function encode(map: Float32Array, words: readonly TypedWord[]): Int8Array {
    const sum = new Float32Array(dims)
    for (const { word, weight } of words) {
      const number = rowOf(vectors, word)
      const place = places.get(number)
      if (place === undefined) {
        if (number < vectors.count) vectors.add(sum, number, weight * scale)
        continue
      }
      const step = (steps[place] as number) * weight
      for (let d = 0, at = place * dims; d < dims; d++) (sum[d] as number) += step * (cells[at + d] as number)
    }
    return direction(multiply(map, sum))
  }
  return { dims, prompt: (words) => encode(promptMap, words), text: (words) => encode(textMap, words) }
}

function multiply(map: Float32Array, vector: Float32Array): Float32Array {
  const dims = vector.length
  const product = new Float32Array(dims)
  for (let row = 0, at = 0; row < dims; row++) {
    let sum = 0
    for (let d = 0; d < dims; d++) sum += (map[at++] as number) * (vector[d] as number)
    product[row] = sum
  }
  return product
}

function direction(vector: Float32Array): Int8Array {
  return Int8Array.from(normalize(vector), (x) => Math.round(x * UNIT))
}
