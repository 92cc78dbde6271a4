import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STOP_WORDS, words } from '@onward/predict/training'
import { openRandom } from '@onward/testbed'
import { builtInSet, type PromptSet, readSets } from '../training-sets.ts'
import { madeUpSentences, openApiTexts, plainText } from './texts.ts'

/** Words, the most frequent first, and the texts from which their weights are learnt. */
export type Lesson = { readonly words: readonly string[]; readonly texts: readonly string[] }

export type Sources = { readonly openapi: string; readonly apps: string; readonly madeUp: string; readonly weights: string }

const SEED = 7
const WORDS = 24_000
const MADE_UP_SENTENCES = 13_000

/** Collects the training data. The same files result in the same lesson. */
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

/** Reads the word groups of `lexicon.txt`. */
async function readLexicon(path: string): Promise<string[][]> {
  const lines = (await readFile(path, 'utf8')).trim().split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' '))
}

/** Returns the texts of a set: titles and descriptions of functions and parameters, and prompts. */
function setTexts({ functions, queries }: PromptSet): string[] {
  const said = functions.flatMap(({ title, description, parameters }) => [
    title,
    description,
    ...Object.values(parameters.properties).map((each) => each.description ?? ''),
  ])
  return [...said, ...queries.map(({ prompt }) => prompt)]
}

/**
 * Returns the words to learn: the first `count` of `english` (the most frequent first), then other words of applications, of the lexicon
 * and of the texts.
 */
function wordList(english: readonly string[], count: number, lexicon: readonly string[], texts: readonly string[]): string[] {
  const frequent = english.filter((word) => /^[a-z][a-z0-9]+$/.test(word)).slice(0, count)
  const known = new Set(frequent)
  const added = [...MODERN_WORDS, ...lexicon, ...repeatedWords(texts)].filter((word) => /^[a-z]{3,18}$/.test(word) && !known.has(word))
  return [...frequent, ...new Set(added)]
}

/** Returns words that occur in several texts. A word in a single text is mostly a name or an error. */
function repeatedWords(texts: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const word of texts.flatMap((text) => [...new Set(words(text))])) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].flatMap(([word, count]) => (count > 1 && !STOP_WORDS.has(word) ? word : []))
}

/** Words of applications that are missing in the older word list, or more frequent today. */
const MODERN_WORDS: readonly string[] = (
  'webhook webhooks cryptocurrency cryptocurrencies emoji emojis selfie hashtag hashtags vlog chatbot chatbots gpt llm nft nfts ethereum blockchain ' +
  'crypto defi tiktok whatsapp instagram linkedin reddit github gitlab bitbucket kubernetes docker devops frontend backend fullstack javascript ' +
  'typescript nodejs dropdown tooltip popup signup login logout onboarding username usernames timestamp metadata json yaml csv api apis oauth saas ' +
  'crm seo upsell screenshot screenshots livestream podcaster influencer influencers wishlist meme memes anime manga cosplay airbnb uber lyft ' +
  'netflix spotify youtube youtuber fintech startup startups crowdfunding freelancer freelancers coworking ebike vegan keto gluten smoothie workout ' +
  'workouts yoga pilates mindfulness journaling astrology horoscope tarot geocode geolocation timezone timezones dataset datasets flowchart mindmap ' +
  'slideshow spreadsheet spreadsheets workspace workspaces invoicing payout payouts checkout chargeback reminder reminders todo kanban backlog ' +
  'changelog unsubscribe subscriber subscribers newsletter newsletters unread inbox autocomplete'
).split(' ')
