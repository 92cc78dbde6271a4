import type { Steps } from '../in-slices.ts'
import type { Vectors } from '../words/vectors.ts'
import { asOneWord, words } from '../words/words.ts'
import type { Rankable } from './function-text.ts'

/** The apps of a catalog by name. */
export type NamedApps = {
  readonly apps: readonly string[]
  /** Returns the apps that a prompt names. */
  in(prompt: string): ReadonlySet<string>
  /** Returns the numbers of an app's functions. */
  functions(app: string): readonly number[]
}

/** The number of words in the longest app name. */
const MAX_WORDS = 4
/**
 * The most frequent words, which may be used in their ordinary meaning. They name an app only after a word that introduces a name, or when
 * several are written as a name.
 */
const COMMON = 8_000
/** Frequent words that are always names. */
const MAKERS = new Set(['google', 'microsoft', 'outlook', 'amazon', 'apple', 'adobe', 'facebook'])
const BEFORE_NAMES = /^(?:in|on|to|from|with|via|using|into|through|at|use|my|our|app)$/
/** An app may have the name of a weekday, and some words that introduce names also introduce days. */
const DAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/
const BEFORE_APPS = /^(?:in|with|via|using|into|use|app)$/

/** Treats `Google Sheets`, `google-sheets` and `GoogleSheets` as the same name. Yields so that other work can run in between. */
export function* buildNamedApps(functions: readonly Rankable[], vectors: Vectors): Steps<NamedApps> {
  const byApp = new Map<string, number[]>()
  const byWritten = new Map<string, Set<string>>()
  for (const [number, { app }] of functions.entries()) {
    const numbers = byApp.get(app.name)
    if (numbers !== undefined) {
      numbers.push(number)
      continue
    }
    byApp.set(app.name, [number])
    for (const written of [app.name, app.title].map(asOneWord)) {
      if (written.length > 1) byWritten.set(written, (byWritten.get(written) ?? new Set()).add(app.name))
    }
    yield
  }
  return {
    apps: [...byApp.keys()],
    functions: (app) => byApp.get(app) ?? [],
    in(prompt) {
      const said = words(prompt)
      const named = new Set<string>()
      for (let at = 0; at < said.length; at++) {
        for (let count = 1; count <= Math.min(MAX_WORDS, said.length - at); count++) {
          const name = said.slice(at, at + count)
          const found = byWritten.get(name.join(''))
          if (found === undefined || (name.every(isCommon) && !announced(name.join(''), said[at - 1]) && !isWrittenAsName(prompt, name)))
            continue
          for (const app of found) named.add(app)
        }
      }
      return named
    },
  }

  function isCommon(word: string): boolean {
    const place = vectors.find(word)
    return place >= 0 && place < COMMON && !MAKERS.has(word)
  }
}

/**
 * Accepts "Virtual Reality", "OpenAI" and "Bank of America", but not "software testing". A single capital letter may only begin a sentence.
 */
function isWrittenAsName(prompt: string, name: readonly string[]): boolean {
  if (name.length === 1) return false
  const [written = ''] = new RegExp(name.join('[^\\p{L}\\p{N}]*'), 'iu').exec(prompt) ?? []
  return /^\p{Lu}/u.test(written) && !/[^\p{L}\p{N}](?!(?:of|and|the|for)\b)\p{Ll}/u.test(written)
}

function announced(name: string, before = ''): boolean {
  return (DAY.test(name) ? BEFORE_APPS : BEFORE_NAMES).test(before)
}
