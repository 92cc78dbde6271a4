import type { PhrasingsOfApps } from '@onward/catalog'
import {
  asMessage,
  cannotText,
  type Encoder,
  type EncoderFile,
  type English,
  encodedText,
  nothingText,
  type OutOfScopePrompt,
  type Rankable,
  readEncoder,
  textWords,
  typedWords,
  writeEncoder,
} from '@onward/predict/training'
import type { PromptSet } from '../training-sets.ts'
import { type Fitted, fitEncoder, type Pair, type Text } from './fit-encoder.ts'

/** What the encoder learns from. */
export type Lessons = {
  readonly functions: readonly Rankable[]
  readonly phrasings: PhrasingsOfApps
  readonly outOfScope: readonly OutOfScopePrompt[]
  /** Other tools with prompts. */
  readonly sets: readonly PromptSet[]
}

/** The kind of the encoder that each kind of `nothing-fits.jsonl` teaches. */
const KINDS: Readonly<Record<string, string>> = {
  smalltalk: 'chat',
  chat: 'chat',
  other_language: 'chat',
  nonsense: 'vague',
  vague: 'vague',
  product: 'product',
  impossible: 'impossible',
  physical: 'impossible',
}

/** Fits an encoder. `isLearnt` leaves out prompts, so that others can be judged; it gets the number of a prompt in its list. */
export function fitLessons({ vectors, plain }: English, lessons: Lessons, isLearnt: (number: number) => boolean = () => true): Buffer {
  const texts: Text[] = []
  const pairs: Pair[] = []
  // The lessons have no misspelled words.
  const wordsOf = (prompt: string) =>
    typedWords(
      asMessage(
        plain(
          prompt,
          () => true,
          () => [],
        ),
      ),
    )
  function teach(app: string, text: string, prompts: readonly string[]): void {
    texts.push({ words: textWords(text), app })
    for (const prompt of prompts) pairs.push({ prompt: wordsOf(prompt), text: texts.length - 1 })
  }
  const learnt = (prompts: readonly string[]) => prompts.filter((_, number) => isLearnt(number))

  const { functions, phrasings, outOfScope, sets } = lessons
  for (const fn of functions) {
    // Twice, because a function has few names and many phrasings.
    const named = fn.app.title === '' ? [fn.title] : [fn.title, `${fn.app.title} ${fn.title}`]
    teach(fn.app.name, encodedText(fn), [...named, ...named, ...fn.examples, ...learnt(phrasings.functions.get(fn.name) ?? [])])
  }
  for (const app of new Set(functions.map(({ app }) => app))) {
    teach(app.name, cannotText(app), learnt(phrasings.cannot.get(app.name) ?? []))
  }
  const byKind = promptsBy(outOfScope, ({ kind }) => KINDS[kind] ?? 'knowledge')
  for (const [kind, prompts] of byKind) teach('nothing', nothingText(kind), learnt(prompts))
  for (const set of sets) {
    const prompts = promptsBy(set.queries, ({ gold }) => gold[0] ?? '')
    for (const fn of set.functions) {
      teach(`${set.name}/${fn.app.name}`, encodedText(fn), prompts.get(fn.name) ?? [])
    }
  }
  return writeEncoder(fileOf(fitEncoder(vectors, texts, pairs)))
}

function promptsBy<T extends { readonly prompt: string }>(all: readonly T[], keyOf: (each: T) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each.prompt])
  return groups
}

/** Fits an encoder and reads it as a service does. */
export function teachEncoder(english: English, lessons: Lessons, isLearnt?: (number: number) => boolean): Encoder {
  return readEncoder(fitLessons(english, lessons, isLearnt), english.vectors)
}

const MAX_CELL = 127

function fileOf({ dims, rows, scale, learnt, promptMap, textMap }: Fitted): EncoderFile {
  const numbers = Uint32Array.from(learnt).sort()
  const count = numbers.length + 2 * dims
  const steps = new Float32Array(count)
  const cells = new Int8Array(count * dims)
  const write = (place: number, row: Float32Array) => {
    const step =
      Math.max(
        1e-9,
        row.reduce((most, x) => Math.max(most, Math.abs(x)), 0),
      ) / MAX_CELL
    steps[place] = step
    for (let d = 0; d < dims; d++) cells[place * dims + d] = Math.round((row[d] as number) / step)
  }
  for (const [place, number] of numbers.entries()) write(place, rows.subarray(number * dims, (number + 1) * dims))
  for (const [side, map] of [promptMap, textMap].entries()) {
    for (let row = 0; row < dims; row++) write(numbers.length + side * dims + row, map.subarray(row * dims, (row + 1) * dims))
  }
  return { dims, scale, numbers, steps, cells }
}
