import type { Vectors } from '../words/vectors.ts'
import { words } from '../words/words.ts'
import type { Rankable } from './function-text.ts'

/** The apps of a catalog by their names. */
export type NamedApps = {
  readonly apps: readonly string[]
  /** The names of the apps that a prompt names. */
  in(prompt: string): ReadonlySet<string>
  /** The numbers of an app's functions. */
  functions(app: string): readonly number[]
}

/** The words of the longest name that is looked for. */
const MAX_WORDS = 4
/**
 * Words before this place of the list of frequent ones are everyday words: those alone name an app only behind a word that stands
 * before names, or several that are written as a name.
 */
const COMMON = 8_000
/** Frequent in news, and yet nothing but names. */
const MAKERS = new Set(['google', 'microsoft', 'outlook', 'amazon', 'apple', 'adobe', 'facebook'])
const BEFORE_NAMES = /^(?:in|on|to|from|with|via|using|into|through|at|use|my|our|app)$/
/** An app may be named like a day; many of these words stand before days, too. */
const DAY = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/
const BEFORE_APPS = /^(?:in|with|via|using|into|use|app)$/

/** `Google Sheets`, `google-sheets` and `GoogleSheets` are the same name. Yields where other work may come between. */
export function* buildNamedApps(functions: readonly Rankable[], vectors: Vectors): Generator<void, NamedApps> {
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

/** "Virtual Reality", "OpenAI" and "Bank of America", but not "software testing". The capital of a single word may be that of a sentence. */
function isWrittenAsName(prompt: string, name: readonly string[]): boolean {
  if (name.length === 1) return false
  const [written = ''] = new RegExp(name.join('[^\\p{L}\\p{N}]*'), 'iu').exec(prompt) ?? []
  return /^\p{Lu}/u.test(written) && !/[^\p{L}\p{N}](?!(?:of|and|the|for)\b)\p{Ll}/u.test(written)
}

function announced(name: string, before = ''): boolean {
  return (DAY.test(name) ? BEFORE_APPS : BEFORE_NAMES).test(before)
}

function asOneWord(name: string): string {
  return words(name).join('')
}
