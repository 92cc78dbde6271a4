import { pastWords } from '@onward/predict'
import { type Log, openBatch } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { insertPredictions, type Prediction } from '../../db/predictions.ts'
import type { Tables } from '../../db/tables.ts'
import { holdsSecret } from './holds-secret.ts'

/** Keeps in mind what was predicted, in nobody's way: what can't be stored is lost. */
export type Notes = {
  note(user: User, prompt: string, predicted: readonly { readonly name: string; readonly confidence: number }[]): void
  /** Resolves when nothing is on its way any more. */
  idle(): Promise<void>
}

type User = Pick<Prediction, 'appKey' | 'userId'>

type Note = Omit<Prediction, 'ageMs'> & { readonly at: number }

const FLUSH_MAX = 200
/** Beyond this Postgres does not keep up, and notes are dropped. */
const WAITING_MAX = 1_000

export function openNotes(db: Kysely<Tables>, log: Log): Notes {
  let waiting = 0
  const batch = openBatch<Note>(FLUSH_MAX, async (notes) => {
    try {
      const now = performance.now()
      await insertPredictions(
        db,
        notes.map(({ at, ...prediction }) => ({ ...prediction, ageMs: now - at })),
      )
    } catch (err) {
      log.warn({ err, predictions: notes.length }, 'predictions could not be noted; nothing is learnt from them')
    } finally {
      waiting -= notes.length
    }
  })

  return {
    note({ appKey, userId }, prompt, predicted) {
      if (predicted.length === 0 || waiting >= WAITING_MAX || holdsSecret(prompt)) return
      const kept = pastWords(prompt)
      if (kept === '') return
      waiting++
      const functions = predicted.map(({ name, confidence }) => ({ name, doubt: 1 - confidence }))
      void batch.add({ appKey, userId, prompt: kept, functions, at: performance.now() })
    },
    idle: () => batch.idle(),
  }
}
