import type { Steps } from '../in-slices.ts'
import { openSpelling, type Spelling } from '../words/spelling.ts'
import { type Bm25, buildBm25 } from './bm25.ts'
import type { Encoder } from './encoder.ts'
import type { English, Vocabulary } from './english.ts'
import { type FunctionText, type Rankable, readFunction } from './function-text.ts'
import { buildMeaning, type Meaning } from './meaning.ts'
import { buildNamedApps, type NamedApps } from './named-apps.ts'
import { buildNeighbours, type Neighbours } from './neighbours.ts'
import { openScope, type Product, type Scope } from './scope.ts'

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
  /** The directions of all functions, one after the other. */
  readonly directions: Int8Array
  readonly neighbours: Neighbours
  /** Whether the app of a function has phrasings in files. */
  readonly known: readonly boolean[]
  /** Whether a model wrote phrasings of a function. */
  readonly phrased: readonly boolean[]
  readonly spelling: Spelling
  readonly scope: Scope
}

/** What people type for a function, by its name. */
export type Phrasings = ReadonlyMap<string, readonly string[]>

/** The share of a term's rarity that comes from general English; the rest comes from the catalog. */
const GENERAL = 0.25
/** The highest rarity of a word. */
const RAREST = 9

type Known = {
  readonly english: English
  readonly encoder: Encoder
  readonly vocabulary: Vocabulary
  /** The texts of functions that were read before. */
  readonly texts: WeakMap<Rankable, FunctionText>
  readonly products: readonly Product[]
  readonly learntApps: ReadonlySet<string>
}

/** `written`: phrasings that a model wrote. Yields so that other work can run in between. */
export function* buildIndex(
  functions: readonly Rankable[],
  phrasings: Phrasings,
  knowledge: Known,
  written: Phrasings = new Map(),
): Steps<Index> {
  const { english, encoder, vocabulary, texts: read, products, learntApps } = knowledge
  const texts: FunctionText[] = []
  for (const fn of functions) {
    const text = read.get(fn) ?? readFunction(fn, english, encoder, vocabulary)
    read.set(fn, text)
    texts.push(text)
    yield
  }
  const typedApps = new Set(functions.flatMap(({ name, app }) => (phrasings.has(name) ? [app.name] : [])))
  const ownTexts = (fn: Rankable) => [...nameAndDescription(fn), ...fn.examples, ...(phrasings.get(fn.name) ?? written.get(fn.name) ?? [])]
  const neighbours = yield* buildNeighbours(functions.map(ownTexts))
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
    directions: joined(texts.map(({ direction }) => direction)),
    neighbours,
    known: functions.map(({ app }) => typedApps.has(app.name)),
    phrased: functions.map(({ name, app }) => written.has(name) && !typedApps.has(app.name)),
    spelling: openSpelling(neighbours.counts),
    scope: openScope(encoder, products, functions, learntApps),
  }
}

function nameAndDescription({ title, name, app, description }: Rankable): string[] {
  return [`${title || name} ${app.title || app.name}`, description]
}

function joined(directions: readonly Int8Array[]): Int8Array {
  const dims = directions[0]?.length ?? 0
  const all = new Int8Array(directions.length * dims)
  for (const [i, direction] of directions.entries()) all.set(direction, i * dims)
  return all
}
