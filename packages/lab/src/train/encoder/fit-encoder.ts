import { HASHED, rowOf, type TypedWord, type Vectors } from '@onward/predict/training'
import { openRandom } from '@onward/testbed'

/** A prompt, and the number of the text that it means. */
export type Pair = { readonly prompt: readonly TypedWord[]; readonly text: number }
/** The text of a function, and the app to which the function belongs. */
export type Text = { readonly words: readonly TypedWord[]; readonly app: string }

/** What was learnt: a row per word, and a square matrix for prompts and for texts. `learnt` holds the numbers of the changed rows. */
export type Fitted = {
  readonly dims: number
  readonly rows: Float32Array
  readonly scale: number
  readonly learnt: ReadonlySet<number>
  readonly promptMap: Float32Array
  readonly textMap: Float32Array
}

const TEMPERATURE = 0.06
const BATCH = 64
const EPOCHS = 8
/** The share of a prompt's words that are left out each time. */
const DROPOUT = 0.25
const ROW_RATE = 0.05
const MAP_RATE = 0.01
/** The largest component of a hashed row before the training. */
const HASHED_SIZE = 0.06

type Row = { readonly number: number; readonly weight: number }
type Encoded = { readonly rows: readonly Row[]; readonly sum: Float32Array; readonly unit: Float32Array; readonly length: number }

/**
 * Fits an encoder by softmax over the texts of a batch, with AdaGrad. Half of the batches hold functions of few apps, which are hard to tell
 * apart. The word vectors are the start. Deterministic.
 */
export function fitEncoder(vectors: Vectors, texts: readonly Text[], pairs: readonly Pair[]): Fitted {
  const { dims } = vectors
  const random = openRandom(7)
  const { rows, scale } = startOf(vectors, random)
  const maps = { prompt: identity(dims), text: identity(dims) }
  const squares = { prompt: new Float32Array(dims * dims), text: new Float32Array(dims * dims), rows: new Float32Array(rows.length / dims) }
  const rowsOf = (words: readonly TypedWord[]) => words.map(({ word, weight }) => ({ number: rowOf(vectors, word), weight }))
  const textRows = texts.map(({ words }) => rowsOf(words))
  const promptRows = pairs.map(({ prompt }) => rowsOf(prompt))
  const learnt = new Set<number>()
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (const batch of batchesOf()) learn(batch, 1 - (0.9 * epoch) / EPOCHS)
  }
  return { dims, rows, scale, learnt, promptMap: maps.prompt, textMap: maps.text }

  function batchesOf(): number[][] {
    const all = shuffled(
      pairs.map((_, i) => i),
      random,
    )
    const places = new Map(
      shuffled(
        texts.map(({ app }) => app),
        random,
      ).map((app, place) => [app, place]),
    )
    const placeOf = (pair: number) => places.get(texts[pairs[pair]?.text ?? 0]?.app ?? '') ?? 0
    const byApp = all.splice(all.length >> 1).sort((a, b) => placeOf(a) - placeOf(b))
    return shuffled(
      [all, byApp].flatMap((list) =>
        Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) => list.slice(i * BATCH, (i + 1) * BATCH)),
      ),
      random,
    )
  }

  function learn(batch: readonly number[], decay: number): void {
    const targets = batch.map((i) => pairs[i]?.text ?? 0)
    const distinct = [...new Set(targets)]
    const prompts = batch.map((i) =>
      forward(
        (promptRows[i] ?? []).filter(() => random() >= DROPOUT),
        maps.prompt,
      ),
    )
    const found = distinct.map((number) => forward(textRows[number] ?? [], maps.text))
    const gradients = { prompts: prompts.map(() => new Float32Array(dims)), texts: found.map(() => new Float32Array(dims)) }
    for (const [i, { unit }] of prompts.entries()) {
      const shares = softmax(found.map((text) => dot(unit, 0, text.unit) / TEMPERATURE))
      const right = distinct.indexOf(targets[i] as number)
      for (const [j, text] of found.entries()) {
        const error = ((shares[j] as number) - (j === right ? 1 : 0)) / TEMPERATURE / batch.length
        addTimes(gradients.prompts[i] as Float32Array, 0, text.unit, 0, error, dims)
        addTimes(gradients.texts[j] as Float32Array, 0, unit, 0, error, dims)
      }
    }
    const ofRows = new Map<number, Float32Array>()
    const ofMaps = { prompt: new Float32Array(dims * dims), text: new Float32Array(dims * dims) }
    for (const [i, each] of prompts.entries()) backward(each, gradients.prompts[i] as Float32Array, maps.prompt, ofMaps.prompt, ofRows)
    for (const [j, each] of found.entries()) backward(each, gradients.texts[j] as Float32Array, maps.text, ofMaps.text, ofRows)
    for (const side of ['prompt', 'text'] as const) stepCells(maps[side], ofMaps[side], squares[side], decay * MAP_RATE)
    for (const [number, gradient] of ofRows) {
      learnt.add(number)
      const squared = (squares.rows[number] as number) + dot(gradient, 0, gradient) / dims
      squares.rows[number] = squared
      addTimes(rows, number * dims, gradient, 0, (-decay * ROW_RATE) / (Math.sqrt(squared) + 1e-8), dims)
    }
  }

  function forward(ofText: readonly Row[], map: Float32Array): Encoded {
    const sum = new Float32Array(dims)
    for (const { number, weight } of ofText) addTimes(sum, 0, rows, number * dims, weight, dims)
    const raw = sum.map((_, row) => dot(map, row * dims, sum))
    const length = Math.sqrt(dot(raw, 0, raw)) || 1
    return { rows: ofText, sum, unit: raw.map((x) => x / length), length }
  }

  function backward(
    encoded: Encoded,
    gradient: Float32Array,
    map: Float32Array,
    ofMap: Float32Array,
    ofRows: Map<number, Float32Array>,
  ): void {
    const { sum, unit, length } = encoded
    const along = dot(gradient, 0, unit)
    const ofSum = new Float32Array(dims)
    for (let row = 0; row < dims; row++) {
      const x = ((gradient[row] as number) - along * (unit[row] as number)) / length
      addTimes(ofMap, row * dims, sum, 0, x, dims)
      addTimes(ofSum, 0, map, row * dims, x, dims)
    }
    for (const { number, weight } of encoded.rows) {
      const known = ofRows.get(number) ?? new Float32Array(dims)
      ofRows.set(number, known)
      addTimes(known, 0, ofSum, 0, weight, dims)
    }
  }
}

/** Returns the rows before the training. The vectors are scaled so that the mean of their squared lengths is one. */
function startOf(vectors: Vectors, random: () => number): { readonly rows: Float32Array; readonly scale: number } {
  const { dims, count } = vectors
  const rows = new Float32Array((count + HASHED) * dims)
  for (let i = 0; i < count; i++) vectors.add(rows.subarray(i * dims, (i + 1) * dims), i)
  const scale = 1 / Math.sqrt(dot(rows, 0, rows) / count)
  for (let k = 0; k < rows.length; k++) rows[k] = k < count * dims ? (rows[k] as number) * scale : (2 * random() - 1) * HASHED_SIZE
  return { rows, scale }
}

function stepCells(cells: Float32Array, gradient: Float32Array, squares: Float32Array, rate: number): void {
  for (let k = 0; k < cells.length; k++) {
    const x = gradient[k] as number
    const squared = (squares[k] as number) + x * x
    squares[k] = squared
    cells[k] = (cells[k] as number) - (rate * x) / (Math.sqrt(squared) + 1e-8)
  }
}

function softmax(scores: readonly number[]): number[] {
  const most = Math.max(...scores)
  const shares = scores.map((score) => Math.exp(score - most))
  const total = shares.reduce((sum, x) => sum + x, 0)
  return shares.map((x) => x / total)
}

/** Returns the product of `b` with the numbers of `a` from `at`. */
function dot(a: Float32Array, at: number, b: Float32Array): number {
  let sum = 0
  for (let d = 0; d < b.length; d++) sum += (a[at + d] as number) * (b[d] as number)
  return sum
}

function addTimes(into: Float32Array, at: number, vector: Float32Array, from: number, times: number, count: number): void {
  for (let d = 0; d < count; d++) into[at + d] = (into[at + d] as number) + times * (vector[from + d] as number)
}

function identity(dims: number): Float32Array {
  return Float32Array.from({ length: dims * dims }, (_, k) => (k % (dims + 1) === 0 ? 1 : 0))
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const copy = [...list]
  for (let i = copy.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[copy[i], copy[j]] = [copy[j] as T, copy[i] as T]
  }
  return copy
}
