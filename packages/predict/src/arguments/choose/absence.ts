import type { Found } from '../find/found.ts'
import { isTitle } from '../slot/is-title.ts'
import type { Slot } from '../slot/slot.ts'

/** How much of a slot's name, 0 to 1, the prompt leaves unsaid; `unsaid` are the telling stems that it does not say, `said` all its stems. */
export function absence(slot: Slot, { unit }: Found, unsaid: readonly string[], said: ReadonlySet<string>): number {
  if (isSought(slot, said) || (unit === 'called' && isCalled(slot))) return 0
  return unsaid.length / Math.max(1, slot.telling.size)
}

/** "Search for plans" says the query without its name. */
function isSought({ wants, synonyms }: Slot, said: ReadonlySet<string>): boolean {
  return wants.has('topic') && synonyms.has('search') && said.has('search')
}

/** "Called Ada" says a title, a name or a first name, "described as" a description. */
function isCalled(slot: Slot): boolean {
  return isTitle(slot) || slot.wants.has('given') || slot.names.includes('descript')
}
