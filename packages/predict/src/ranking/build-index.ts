import type { Steps } from '../in-slices.ts'
import { type Bm25, buildBm25 } from './bm25.ts'
import type { English, Vocabulary } from './english.ts'
import { type FunctionText, type Rankable, readFunction } from './function-text.ts'
import { buildMeaning, type Meaning } from './meaning.ts'
import { buildNamedApps, type NamedApps } from './named-apps.ts'

/** The index of a catalog. Functions are numbered by their position in the list. */
export type Index = {
  readonly functions: readonly Rankable[]
  readonly texts: readonly FunctionText[]
  readonly english: English
  readonly vocabulary: Vocabulary
  /** One more than the highest term of any function. */
  readonly size: number
  readonly words: Bm25
  readonly title: Bm25
  readonly description: Bm25
  readonly parameters: Bm25
  readonly concepts: Bm25
  readonly meaning: Meaning
  readonly named: NamedApps
}

/** The share of a term's rarity that comes from general English; the rest comes from the catalog. */
const GENERAL = 0.25
/** The highest rarity of a word. */
const RAREST = 9

/** `known` holds the texts of functions that were read before. Yields so that other work can run in between. */
export function* buildIndex(
  functions: readonly Rankable[],
  english: English,
  vocabulary: Vocabulary,
  known: WeakMap<Rankable, FunctionText>,
): Steps<Index> {
  const texts: FunctionText[] = []
  for (const fn of functions) {
    const text = known.get(fn) ?? readFunction(fn, english, vocabulary)
    known.set(fn, text)
    texts.push(text)
    yield
  }
  const { size } = vocabulary
  const idf = (term: number, own: number) => (1 - GENERAL) * own + GENERAL * (term < 0 ? RAREST : vocabulary.rarity(term))
  const bags = (field: 'words' | 'title' | 'description' | 'parameters' | 'concepts') => texts.map((text) => text[field])
  return {
    functions,
    texts,
    english,
    vocabulary,
    size,
    words: yield* buildBm25(bags('words'), { size, idf }),
    title: yield* buildBm25(bags('title'), { size, lengthCounts: 0.5 }),
    description: yield* buildBm25(bags('description'), { size }),
    parameters: yield* buildBm25(bags('parameters'), { size, lengthCounts: 0.5 }),
    concepts: yield* buildBm25(bags('concepts'), { size: english.concepts.count }),
    meaning: yield* buildMeaning(
      texts.map(({ meaning }) => meaning),
      english.vectors,
    ),
    named: yield* buildNamedApps(functions, english.vectors),
  }
}
