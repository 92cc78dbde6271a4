import { pastWords } from '@onward/predict'
import { type Log, openBatch, type UserKey } from '@onward/runtime'
import { insertPredictions, type Prediction } from '../db/predictions.ts'
import type { Db } from '../db/tables.ts'

/** Stores predictions in the background, to learn from them. When Postgres fails, they are lost. */
export type Notes = {
  note(user: UserKey, prompt: string, predicted: readonly { readonly name: string; readonly confidence: number }[]): void
  /** Resolves when all pending notes are stored. */
  idle(): Promise<void>
}

type Note = Omit<Prediction, 'ageMs'> & { readonly at: number }

/**
 * Only functions in the first places of a prediction can be learnt, and only with at least MIN_CONFIDENCE. Otherwise, a call could lift any
 * function that a prediction with a large `top_k` contains.
 */
const LEARNABLE_PLACES = 3
const MIN_CONFIDENCE = 0.15

const FLUSH_MAX = 200
/** Maximum number of pending notes. If Postgres is so slow that it is reached, further notes are dropped. */
const WAITING_MAX = 1_000

export function openNotes(db: Db, log: Log): Notes {
  let waiting = 0
  const batch = openBatch<Note>(FLUSH_MAX, async (notes) => {
    try {
      const now = performance.now()
      await insertPredictions(
        db,
        notes.map(({ at, ...prediction }) => ({ ...prediction, ageMs: now - at })),
      )
    } catch (err) {
      log.warn({ err, predictions: notes.length }, 'predictions could not be stored; nothing is learnt from them')
    } finally {
      waiting -= notes.length
    }
  })

  return {
    note({ appKey, userId }, prompt, predicted) {
      const learnable = predicted.slice(0, LEARNABLE_PLACES).filter(({ confidence }) => confidence >= MIN_CONFIDENCE)
      if (learnable.length === 0 || waiting >= WAITING_MAX || holdsSecret(prompt)) return
      const words = pastWords(prompt)
      if (words === '') return
      waiting++
      const functions = learnable.map(({ name, confidence }) => ({ name, doubt: 1 - confidence }))
      void batch.add({ appKey, userId, prompt: words, functions, at: performance.now() })
    },
    idle: () => batch.idle(),
  }
}

/** Patterns of keys, tokens and passwords, and of words that introduce one. */
const SECRETS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  // Known prefixes: Stripe and OpenAI, GitHub, Slack, AWS, Google, GitLab, npm.
  /\b(?:onw_[a-z]+_|[srp]k[-_]|gh[oprsu]_|github_pat_|xox[a-z]-|xapp-|AKIA|ASIA|AIza|ya29\.|glpat-|npm_)[\w-]{8,}/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]+/,
  /\b(?:bearer|basic)\s+[\w+/.~-]{8,}/i,
  /\b(?:pass(?:word|wort|phrase|code)?|pwd|pin|cvv|cvc|secret|token|credentials?|api[ _-]?key|access[ _-]?key|private[ _-]?key|otp)\b\W{0,3}(?:is|are|was|to|as|of|=|:)\W{0,3}\S/i,
  // User and password in a URL.
  /[a-z\d]:\/\/[^\s/@:]*:[^\s/@]+@/i,
  // A long mix of letters and digits. It is matched from its first character only, because starting at each character would take too long.
  /(?<![\w+/=-])(?=[\w+/=-]*[a-z])(?=[\w+/=-]*[A-Z])(?=[\w+/=-]*\d)[\w+/=-]{20,}/,
  /\b(?=[a-f]*\d)[a-f\d]{32,}\b/i,
  // Card and account numbers.
  /\b\d(?:[ -]?\d){12,18}\b/,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,}/,
]

/** Whether a prompt contains something like a secret. False positives are acceptable, because a single prompt teaches little. */
export function holdsSecret(prompt: string): boolean {
  return SECRETS.some((secret) => secret.test(prompt))
}
