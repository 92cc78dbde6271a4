import type { App, AppFunction } from '@onward/catalog'
import { embed } from '../words/embed.ts'
import { stem } from '../words/stem.ts'
import { nameStems, stems } from '../words/stems.ts'
import { verbClasses } from '../words/verb-classes.ts'
import { withoutValues } from '../words/without-values.ts'
import { contentWords } from '../words/words.ts'
import { type Bag, bagOf } from './bag.ts'
import type { English } from './english.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What of a function ranking looks at. */
export type Rankable = Pick<AppFunction, 'name' | 'title' | 'description' | 'parameters' | 'examples'> &
  Partial<Pick<AppFunction, 'type'>> & { readonly app: Pick<App, 'name' | 'title'> }

/** A function's text as numbers of the vocabulary. */
export type FunctionText = {
  /** All of it; title and description count half again, example prompts half. */
  readonly words: Bag
  readonly title: Bag
  /** The title's words as they stand in it, each with its term. */
  readonly titleWords: readonly { readonly word: string; readonly term: number }[]
  readonly description: Bag
  /** Names and descriptions of the parameters. */
  readonly parameters: Bag
  readonly concepts: Bag
  /** The names of the parameters. */
  readonly named: Uint32Array
  /** Of each required parameter the words of its name. */
  readonly required: readonly Uint32Array[]
  /** What the function is about: its title, app and description. */
  readonly about: Uint32Array
  /** The same as a unit vector. */
  readonly meaning: Float32Array
  /** As `verbClasses` gives them. */
  readonly verbs: number
}

/** What a word of an example prompt counts: nobody else asks in just these words. */
const EXAMPLES = 0.5

export function readFunction(fn: Rankable, { vectors }: English, vocabulary: Vocabulary): FunctionText {
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
    named: Uint32Array.from(new Set(names)),
    required: fn.parameters.required.map((name) => Uint32Array.from(numbers(nameStems(name)))).filter(({ length }) => length > 0),
    about: Uint32Array.from(new Set(numbers([...about].map(stem)))),
    meaning: embed(vectors, about),
    verbs: verbClasses(titleStems.slice(0, 2)) || verbClasses(descriptionStems.slice(0, 1)),
  }
}
