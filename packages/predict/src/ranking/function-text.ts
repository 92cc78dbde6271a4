import type { App, AppFunction } from '@onward/catalog'
import { nameStems, stem, stems } from '../words/stems.ts'
import { embed } from '../words/vectors.ts'
import { verbClasses } from '../words/word-groups.ts'
import { contentWords, withoutValues } from '../words/words.ts'
import { type Bag, bagOf } from './bm25.ts'
import type { Encoder } from './encoder.ts'
import type { English, Vocabulary } from './english.ts'
import { textWords } from './typed-words.ts'

/** The parts of a function that ranking uses. */
export type Rankable = Pick<AppFunction, 'name' | 'title' | 'description' | 'parameters' | 'examples'> &
  Partial<Pick<AppFunction, 'type' | 'destructive'>> & { readonly app: Pick<App, 'name' | 'title'> }

/** The text of a function as numbers of the vocabulary. */
export type FunctionText = {
  /** The whole text. Title and description count 1.5 times, example prompts half. */
  readonly words: Bag
  readonly title: Bag
  /** The words of the title as written, each with its term. */
  readonly titleWords: readonly { readonly word: string; readonly term: number }[]
  readonly description: Bag
  /** Names and descriptions of the parameters. */
  readonly parameters: Bag
  readonly concepts: Bag
  /** Names of the parameters. */
  readonly named: readonly number[]
  /** For each required parameter, the words of its name. */
  readonly required: readonly (readonly number[])[]
  /** Title, app and description. */
  readonly about: readonly number[]
  /** `about` as a unit vector. */
  readonly meaning: Float32Array
  /** What `Encoder.text` returns. */
  readonly direction: Int8Array
  /** The result of `verbClasses` for the title, or else for the description. */
  readonly verbs: number
}

/** The weight of a word in an example prompt: other users choose other words. */
const EXAMPLES = 0.5

/** Returns the text of a function that the encoder reads. */
export function encodedText({ title, name, app, description, parameters }: Rankable): string {
  return `${title || name} ${app.title || app.name} ${description} ${Object.keys(parameters.properties).join(' ')}`
}

export function readFunction(fn: Rankable, { vectors }: English, encoder: Encoder, vocabulary: Vocabulary): FunctionText {
  const titleText = fn.title || fn.name
  const numbers = (all: readonly string[]) => all.map((each) => vocabulary.add(each))
  const titleStems = stems(titleText)
  const descriptionStems = stems(fn.description)
  const title = numbers(titleStems)
  const app = numbers(stems(`${fn.app.name} ${fn.app.title}`))
  const description = numbers(descriptionStems)
  const entries = Object.entries(fn.parameters.properties)
  const names = numbers(stems(entries.map(([name]) => name).join(' ')))
  const parameters = [...names, ...numbers(stems(entries.map(([, schema]) => schema.description ?? '').join(' ')))]
  const about = new Set(contentWords(`${titleText} ${fn.app.name} ${fn.app.title} ${fn.description}`))
  const examples = numbers(fn.examples.flatMap((prompt) => stems(withoutValues(prompt))))
  const concepts = [...title, ...description, ...app].flatMap((term) => vocabulary.concepts(term))
  return {
    words: bagOf([title, 1.5], [numbers(stems(fn.name)), 1], [app, 1], [description, 1.5], [parameters, 1], [examples, EXAMPLES]),
    title: bagOf([title, 1]),
    titleWords: contentWords(titleText).map((word, at) => ({ word, term: title[at] as number })),
    description: bagOf([description, 1]),
    parameters: bagOf([parameters, 1]),
    concepts: bagOf([concepts, 1]),
    named: [...new Set(names)],
    required: fn.parameters.required.map((name) => numbers(nameStems(name))).filter(({ length }) => length > 0),
    about: [...new Set(numbers([...about].map(stem)))],
    meaning: embed(vectors, about),
    direction: encoder.text(textWords(encodedText(fn))),
    verbs: verbClasses(titleStems.slice(0, 2)) || verbClasses(descriptionStems.slice(0, 1)),
  }
}
