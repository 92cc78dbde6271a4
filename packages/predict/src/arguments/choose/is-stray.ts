import type { Found, Kind } from '../find/found.ts'
import { isTitle } from '../slot/is-title.ts'
import type { Slot } from '../slot/slot.ts'
import type { Around } from './naming.ts'

/** "Post hello in the #general channel". */
const SAYS = /^(?:post|say|write|reply)$/
/** Pieces that stand in any sentence. */
const SCRAPS: ReadonlySet<Kind> = new Set(['phrase', 'name', 'moment', 'period', 'number'])

/** Whether a piece is surely none of a slot's: words of a sentence that speaks of no message, or what the thing itself is called. */
export function isStray(slot: Slot, piece: Found, near: Around, unsaid: readonly string[], titled: boolean): boolean {
  return isScrap(slot, piece, near) || (titled && unsaid.length > 0 && isTheTitle(slot, piece))
}

function isScrap({ wants, telling, synonyms }: Slot, { kind }: Found, { before }: Around): boolean {
  if (!SCRAPS.has(kind) || !wants.has('text') || wants.has('name') || wants.has('topic')) return false
  return !SAYS.test(before[0]?.lower ?? '') && !before.some(({ stem }) => telling.has(stem) || synonyms.has(stem))
}

/** "Called Spring sale" is no sender's name. */
function isTheTitle(slot: Slot, { kind, unit }: Found): boolean {
  return kind === 'named' && unit === 'called' && !slot.wants.has('given') && !isTitle(slot)
}
