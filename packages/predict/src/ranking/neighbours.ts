import type { Steps } from '../in-slices.ts'
import { hash, hashNext, words } from '../words/words.ts'

/** Finds the functions that have a text with the same words and parts of words as a prompt. */
export type Neighbours = {
  /** How often the texts have each word. */
  readonly counts: ReadonlyMap<string, number>
  /** Writes, for each function, the cosine (0 to 1) of the prompt with the function's most similar text. */
  score(prompt: string, scores: Float32Array): void
}

/** The number of buckets for words, pairs of words and parts of words. */
const BUCKETS = 1 << 17
/** Longer texts are cut: what a function does is said first. */
const MAX_CHARACTERS = 300
/** What the largest weight becomes as uint8. */
const STEPS = 255

/** `texts` has the texts of each function. Yields so that other work can run in between. */
export function* buildNeighbours(texts: readonly (readonly string[])[]): Steps<Neighbours> {
  const found = new Uint32Array(BUCKETS + 1)
  /** The last document that had a gram: a document counts each gram once. */
  const seen = new Int32Array(BUCKETS).fill(-1)
  const counts = new Map<string, number>()
  const owners: number[] = []
  const grams: number[] = []
  const ends: number[] = []
  for (const [owner, own] of texts.entries()) {
    for (const text of own) {
      const document = owners.push(owner) - 1
      const said = wordsOf(text)
      for (const word of said) counts.set(word, (counts.get(word) ?? 0) + 1)
      eachGram(said, (gram) => {
        if (seen[gram] === document) return
        seen[gram] = document
        ;(found[gram] as number) += 1
        grams.push(gram)
      })
      ends.push(grams.length)
    }
    yield
  }
  const idfs = Float32Array.from(found, (count) => Math.log((ends.length + 1) / (count + 1)))
  const starts = new Uint32Array(BUCKETS + 1)
  for (let gram = 0; gram < BUCKETS; gram++) starts[gram + 1] = (starts[gram] as number) + (found[gram] as number)
  const next = starts.slice()
  const documents = new Uint32Array(grams.length)
  const weights = new Uint8Array(grams.length)
  for (const [document, end] of ends.entries()) {
    const own = grams.slice(ends[document - 1] ?? 0, end)
    const scale = STEPS / lengthOf(own)
    for (const gram of own) {
      const at = next[gram] as number
      next[gram] = at + 1
      documents[at] = document
      weights[at] = Math.round(scale * (idfs[gram] as number))
    }
    if (document % 50 === 0) yield
  }
  const byDocument = new Float32Array(ends.length)
  const owner = Uint32Array.from(owners)

  function lengthOf(own: readonly number[]): number {
    let sum = 0
    for (const gram of own) sum += (idfs[gram] as number) ** 2
    return Math.sqrt(sum) || 1
  }

  return {
    counts,
    score(prompt, scores) {
      const asked = new Set<number>()
      eachGram(wordsOf(prompt), (gram) => asked.add(gram))
      const scale = 1 / (lengthOf([...asked]) * STEPS)
      byDocument.fill(0)
      for (const gram of asked) {
        const weight = (idfs[gram] as number) * scale
        for (let at = starts[gram] as number, end = starts[gram + 1] as number; at < end; at++) {
          ;(byDocument[documents[at] as number] as number) += weight * (weights[at] as number)
        }
      }
      scores.fill(0)
      for (let document = 0; document < byDocument.length; document++) {
        const number = owner[document] as number
        if ((byDocument[document] as number) > (scores[number] as number)) scores[number] = byDocument[document] as number
      }
    },
  }
}

function wordsOf(text: string): string[] {
  return words(text.slice(0, MAX_CHARACTERS))
}

/** Calls `add` for each word, pair of words, and part of a word with 3 and 4 characters, as numbers of buckets. */
function eachGram(said: readonly string[], add: (bucket: number) => void): void {
  let before = ''
  for (const word of said) {
    add(bucketOf(hash(word, WORDS)))
    if (before !== '') add(bucketOf(hash(`${before} ${word}`, PAIRS)))
    before = word
    const padded = ` ${word} `
    for (let at = 0; at + 3 <= padded.length; at++) {
      let part = PARTS
      for (let k = at; k < at + 3; k++) part = hashNext(part, padded.charCodeAt(k))
      add(bucketOf(part))
      if (at + 4 <= padded.length) add(bucketOf(hashNext(part, padded.charCodeAt(at + 3))))
    }
  }
}

/** Where hashes start, for each kind of what is hashed. */
const [WORDS, PAIRS, PARTS] = [0x811c9dc5, 0x9dc5811c, 0x1c9d81c5]

function bucketOf(made: number): number {
  return (made ^ (made >>> 15)) & (BUCKETS - 1)
}
