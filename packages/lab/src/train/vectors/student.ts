import { adam, sparseAdam } from '../adam.ts'
import { rowOf, rowsOf, type Table } from './table.ts'

/** The distinct words of a text by number, and the teacher's vector of the text, a unit vector. */
export type Exercise = { readonly words: readonly number[]; readonly target: Float32Array }

export type Student = {
  /** Makes one step towards the targets. */
  learn(batch: readonly Exercise[], rate: number): void
  /** Returns the mean cosine with the targets. */
  cosine(exercises: readonly Exercise[]): number
  /** Returns a row for each word: its direction, scaled by its weight. */
  vectors(): Table
}

/** The learning rate of the part that belongs to a single word, relative to the shared map. */
const OWN_RATE = 0.3

/**
 * A word's vector is the sum of a linear map of its inputs, shared by all words, and an own vector. The map starts as the identity on the
 * first `dims` inputs.
 */
export function openStudent(inputs: Table, dims: number): Student {
  const count = inputs.cells.length / inputs.width
  const width = dims + 1
  const map = new Float64Array(inputs.width * width)
  for (let d = 0; d < dims; d++) map[d * width + d] = 1
  const own: Table = { width, cells: new Float32Array(count * width) }
  const stepMap = adam(map.length)
  const stepOwn = sparseAdam(own.cells, width)

  function outputOf(word: number): Float32Array {
    const output = rowOf(own, word).slice()
    for (const [k, x] of rowOf(inputs, word).entries()) {
      for (let d = 0, at = k * width; d < width; d++, at++) (output[d] as number) += x * (map[at] as number)
    }
    return output
  }

  function addMapSlopes(word: number, slope: Float32Array, mapSlopes: Float64Array): void {
    for (const [k, x] of rowOf(inputs, word).entries()) {
      for (let d = 0, at = k * width; d < width; d++, at++) (mapSlopes[at] as number) += x * (slope[d] as number)
    }
  }

  return {
    learn(batch, rate) {
      const numbers = [...new Set(batch.flatMap(({ words }) => words))]
      const outputs = new Map(numbers.map((word) => [word, outputOf(word)]))
      const table: Table = { width, cells: new Float32Array(numbers.length * width) }
      const slopes = new Map(rowsOf(table).map((slope, i) => [numbers[i] as number, slope]))
      const at = <T>(rows: Map<number, T>, words: readonly number[]) => words.map((word) => rows.get(word) as T)
      for (const { words, target } of batch) addSlopes(at(outputs, words), target, at(slopes, words), 1 / batch.length)
      const mapSlopes = new Float64Array(map.length)
      for (const [word, slope] of slopes) addMapSlopes(word, slope, mapSlopes)
      stepMap(map, mapSlopes, rate)
      stepOwn(numbers, table.cells, rate * OWN_RATE)
    },
    cosine(exercises) {
      const cosines = exercises.map(({ words, target }) => addSlopes(words.map(outputOf), target, [], 0))
      return cosines.reduce((sum, x) => sum + x, 0) / cosines.length
    },
    vectors() {
      const table: Table = { width: dims, cells: new Float32Array(count * dims) }
      for (const [word, row] of rowsOf(table).entries()) {
        const output = outputOf(word)
        const gain = gainOf(output)
        row.set(output.subarray(0, dims).map((x) => gain * x))
      }
      return table
    },
  }
}

/** The last column of a word's row is the logarithm of its weight, divided by this factor, so that it learns faster than the direction. */
const SPEED = 4
const MAX_EXPONENT = 6

/** Returns the weight of a word in a text. */
function gainOf(row: Float32Array): number {
  return Math.exp(Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, SPEED * (row[row.length - 1] as number))))
}

/**
 * Returns the cosine between the sum of a text's words and the teacher's vector of the text (a unit vector). Adds the gradient of the loss,
 * multiplied by `share`, to `slopes`.
 */
function addSlopes(rows: readonly Float32Array[], target: Float32Array, slopes: readonly Float32Array[], share: number): number {
  const dims = target.length
  const gains = rows.map(gainOf)
  const sum = new Float64Array(dims)
  for (const [i, row] of rows.entries()) for (let d = 0; d < dims; d++) (sum[d] as number) += (gains[i] as number) * (row[d] as number)
  const length = Math.sqrt(sum.reduce((all, x) => all + x * x, 0)) + 1e-6
  const cosine = sum.reduce((all, x, d) => all + x * (target[d] as number), 0) / length
  const slope = sum.map((x, d) => (-share * ((target[d] as number) - (cosine * x) / length)) / length)
  for (const [i, into] of slopes.entries()) {
    const row = rows[i] as Float32Array
    const gain = gains[i] as number
    let along = 0
    for (let d = 0; d < dims; d++) {
      ;(into[d] as number) += gain * (slope[d] as number)
      along += (slope[d] as number) * (row[d] as number)
    }
    ;(into[dims] as number) += SPEED * gain * along
  }
  return cosine
}
