import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stem, verbClasses } from '@onward/predict/training'
import { parse } from 'yaml'

/** The limit per document, so that a large one does not dominate. */
const MAX_PER_DOCUMENT = 450
const SHORTEST = 12

/** Returns the first sentences of summaries and descriptions in the OpenAPI documents (JSON, YAML) of a folder. */
export async function openApiTexts(folder: string, draw: () => number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(json|ya?ml)$/.test(name)).sort()
  const documents = await Promise.all(names.map((name) => readDocument(join(folder, name))))
  const found = documents.filter((document) => 'paths' in document).map((document) => [...new Set(sentencesIn(document))])
  if (found.length === 0) throw new Error(`${folder} contains no OpenAPI document`)
  return found.flatMap((sentences) => shuffle(sentences, draw).slice(0, MAX_PER_DOCUMENT))
}

async function readDocument(path: string): Promise<object> {
  const text = await readFile(path, 'utf8')
  return Object(path.endsWith('.json') ? JSON.parse(text) : parse(text))
}

function* sentencesIn(value: object): Generator<string> {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) yield* sentencesIn(inner)
    if (typeof inner !== 'string' || (name !== 'summary' && name !== 'description')) continue
    const [first = ''] = inner.trim().split(/(?<=[.!?])\s/)
    if (first.length >= SHORTEST) yield first
  }
}

/** The most frequent words say little about the request. */
const FIRST = 60

/**
 * Makes up sentences like the prompts of users, from the groups of the lexicon and from a word list (the most frequent first). They need
 * not make sense: they teach how words weigh against each other.
 */
export function madeUpSentences(count: number, groups: readonly string[][], wordList: readonly string[], draw: () => number): string[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(draw() * from.length)] as T
  const asks = (word: string) => verbClasses([stem(word)]) !== 0
  const verbs = groups.flat().filter(asks)
  const things = groups.filter(([first = '']) => !asks(first))
  const any = () => wordList[FIRST + Math.floor(draw() * (wordList.length - FIRST))] as string
  const frequent = () => wordList[Math.floor(FIRST * (wordList.length / FIRST) ** draw())] as string
  const verb = () => pick(verbs)
  const thing = () => (draw() < 0.8 ? pick(pick(things)) : frequent())
  const forms = [
    () => `${verb()} ${thing()}`,
    () => `${any()} ${thing()}`,
    () => `${verb()} ${any()} ${thing()}`,
    () => `the ${any()} ${any()} of ${thing()}`,
    () => `${thing()} for ${any()} and ${frequent()}`,
    () => `${verb()} ${thing()} and ${thing()} by ${thing()}`,
    () => `${verb()} a ${thing()} about ${any()} ${frequent()}`,
    () => `Can you ${verb()} the ${thing()} ${thing()} for me?`,
    () => `I need to ${verb()} a ${thing()} for my ${thing()}.`,
    () => `What is the ${thing()} of the ${thing()} in ${any()}?`,
    () => `What is the best ${frequent()} ${thing()}?`,
    () => `How do I ${verb()} ${thing()} from ${thing()}?`,
    () => `How can I ${frequent()} a ${any()} ${thing()}?`,
    () => `A ${thing()} tool that helps you ${verb()} ${thing()} and ${thing()}.`,
    () => `Are there any ${frequent()} ${thing()} related to ${any()}?`,
    () => `Find ${frequent()} ${thing()} with ${any()}`,
    () => `My ${thing()} is ${any()}, please ${verb()} it.`,
    () => `Recommend some ${frequent()} ${thing()} for ${any()} ${thing()}`,
    () => alike((one, other) => `I'm looking for ${one} about ${any()}, do you have any ${frequent()} ${other}?`),
    () => alike((one, other) => `${verb()} and ${verb()} ${one}, ${other} or ${thing()} with ${frequent()} ${thing()}.`),
  ]
  return Array.from({ length: count }, () => pick(forms)())

  function alike(say: (one: string, other: string) => string): string {
    const group = pick(things)
    return say(pick(group), pick(group))
  }
}

const LONGEST = 200

/** Removes tags and Markdown from a text and cuts it to 200 characters. Returns undefined when too little is left. */
export function plainText(text: string): string | undefined {
  const plain = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>|`|\*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST)
  return plain.length > 8 && /[a-z]/.test(plain) ? plain : undefined
}

/** Shuffles values in place (Fisher and Yates). */
export function shuffle<T>(values: T[], draw: () => number): T[] {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(draw() * (i + 1))
    const kept = values[i] as T
    values[i] = values[j] as T
    values[j] = kept
  }
  return values
}
