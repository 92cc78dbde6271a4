import { join } from 'node:path'
import { openRandom } from '@onward/testbed'
import { builtInSet, readSets } from '../training-sets.ts'
import { madeUpSentences } from './made-up-sentences.ts'
import { openApiTexts } from './openapi-texts.ts'
import { plainText } from './plain-text.ts'
import { readLexicon } from './read-lexicon.ts'
import { setTexts } from './set-texts.ts'
import { wordList } from './word-list.ts'

/** Words (the most frequent first) and the texts that show how they weigh against each other. */
export type Lesson = { readonly words: readonly string[]; readonly texts: readonly string[] }

export type Sources = { readonly openapi: string; readonly apps: string; readonly madeUp: string; readonly weights: string }

const SEED = 7
const WORDS = 24_000
const MADE_UP_SENTENCES = 13_000

/** Gathers what vectors are learnt from. The same files give the same lesson. */
export async function readLesson({ openapi, apps, madeUp, weights }: Sources, english: readonly string[]): Promise<Lesson> {
  const draw = openRandom(SEED)
  const groups = await readLexicon(join(weights, 'lexicon.txt'))
  const told = [...(await openApiTexts(openapi, draw)), ...setTexts(await builtInSet(apps))]
  const words = wordList(english, WORDS, groups.flat(), told)
  const asked = (await readSets(madeUp)).flatMap(setTexts)
  const sentences = madeUpSentences(MADE_UP_SENTENCES, groups, words, draw)
  const texts = [...told, ...asked, ...sentences].flatMap((text) => plainText(text) ?? [])
  return { words, texts: [...new Set(texts)] }
}
