import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inSlices } from '../in-slices.ts'
import { type PlainEnglish, readPlainEnglish } from '../words/plain-english.ts'
import { readVectors, type Vectors } from '../words/vectors.ts'
import { type Concepts, readConcepts } from '../words/word-groups.ts'

/** What ranking knows about English, independent of the catalog. */
export type English = { readonly vectors: Vectors; readonly concepts: Concepts; readonly plain: PlainEnglish }

/** Reads `vectors.bin`, `words.txt`, `lexicon.txt` and `languages.txt` of a folder. */
export async function readEnglish(folder: string): Promise<English> {
  const [table, words, lexicon, languages] = await Promise.all([
    readFile(join(folder, 'vectors.bin')),
    readFile(join(folder, 'words.txt'), 'utf8'),
    readFile(join(folder, 'lexicon.txt'), 'utf8'),
    readFile(join(folder, 'languages.txt'), 'utf8'),
  ])
  const vectors = await inSlices(readVectors(table, words.trimEnd().split('\n')))
  return { vectors, concepts: readConcepts(lexicon), plain: readPlainEnglish(languages, vectors) }
}

/** Numbers the stems of all catalogs. It only grows, so that stems keep their numbers when a catalog changes. */
export type Vocabulary = {
  readonly size: number
  /** Returns -1 for a stem that no function ever contained. */
  find(stem: string): number
  add(stem: string): number
  /**
   * The rarity of a stem in general English, 1 to 10, like an idf. The idf of a small catalog says too little about words like
   * "information".
   */
  rarity(term: number): number
  /** Returns the number of the stem's word among the vectors, or -1. */
  word(term: number): number
  concepts(term: number): readonly number[]
}

/** The frequency rank of an unknown word. */
const UNKNOWN_PLACE = 60_000

/** Returns the rarity of a word in general English from its number among the vectors, the most frequent first; -1 is an unknown word. */
export function rarityOf(word: number): number {
  return Math.log(((word < 0 ? UNKNOWN_PLACE : word) + 20) / 6)
}

export function openVocabulary({ vectors, concepts }: English): Vocabulary {
  const numbers = new Map<string, number>()
  const rarities: number[] = []
  const words: number[] = []
  const groups: (readonly number[])[] = []
  return {
    get size() {
      return words.length
    },
    find: (stem) => numbers.get(stem) ?? -1,
    add(stem) {
      const known = numbers.get(stem)
      if (known !== undefined) return known
      const word = vectors.findStem(stem)
      numbers.set(stem, words.length)
      rarities.push(rarityOf(word))
      groups.push(concepts.of(stem))
      return words.push(word) - 1
    },
    rarity: (term) => rarities[term] as number,
    word: (term) => words[term] as number,
    concepts: (term) => groups[term] as readonly number[],
  }
}
