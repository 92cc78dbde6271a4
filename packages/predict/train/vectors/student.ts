import { adam } from '../adam.ts'
import { addSlopes, gainOf } from './add-slopes.ts'
import { sparseAdam } from './sparse-adam.ts'
import { rowOf, rowsOf, type Table } from './table.ts'

/** The words of a text by number, each once, and what the teacher says of it, a unit vector. */
export type Exercise = { readonly words: readonly number[]; readonly target: Float32Array }

export type Student = {
  /** One step towards the targets. */
  learn(batch: readonly Exercise[], rate: number): void
  /** The mean cosine with the targets. */
  cosine(exercises: readonly Exercise[]): number
  /** What was learnt, a row for each word: its direction, as long as the word weighs. */
  vectors(): Table
}

/** How fast a word leaves the map that all words share. */
const OWN_RATE = 0.3

/** A word's vector is a linear map of what is known of the word, the same for all, and something of its own. The map starts by taking the first `dims` inputs as they are. */
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
