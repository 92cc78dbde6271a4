import type { Knowledge } from '@onward/predict'
import { type Log, openLoop } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { learnPastPrompts } from '../../db/learn-past-prompts.ts'
import type { Tables } from '../../db/tables.ts'
import { type HeldPast, openHeldPast } from './held-past.ts'
import { type Notes, openNotes } from './notes.ts'

/** Learning from use: prompts whose predicted function was then called speak for it when an application's users ask for the like. */
export type LearntPast = Pick<Notes, 'note'> & Pick<HeldPast, 'of'> & { close(): Promise<void> }

const LEARN_MS = 15_000
/** Predictions of one transaction. */
const STEP = 500

export function openPast(db: Kysely<Tables>, knowledge: Knowledge, log: Log): LearntPast {
  const notes = openNotes(db, log)
  const held = openHeldPast(db, knowledge, log)
  const loop = openLoop(
    LEARN_MS,
    async (signal) => {
      while (!signal.aborted && (await learnPastPrompts(db, STEP)) === STEP);
    },
    log,
  )
  return {
    note: notes.note,
    of: held.of,
    async close() {
      await loop.close()
      await notes.idle()
      await held.idle()
    },
  }
}
