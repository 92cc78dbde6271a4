import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Concepts, readConcepts } from '../words/concepts.ts'
import { readVectors, type Vectors } from '../words/vectors.ts'

/** What ranking knows of English, whatever the catalog. */
export type English = { readonly vectors: Vectors; readonly concepts: Concepts }

/** Reads `vectors.bin`, `words.txt` and `lexicon.txt` of a folder. */
export async function readEnglish(folder: string): Promise<English> {
  const [table, words, lexicon] = await Promise.all([
    readFile(join(folder, 'vectors.bin')),
    readFile(join(folder, 'words.txt'), 'utf8'),
    readFile(join(folder, 'lexicon.txt'), 'utf8'),
  ])
  return { vectors: readVectors(table, words.trimEnd().split('\n')), concepts: readConcepts(lexicon) }
}
