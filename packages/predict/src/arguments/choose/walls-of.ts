import type { Found, Kind } from '../find/found.ts'
import type { Rivals } from '../find/rivals.ts'
import type { Prompt } from '../prompt/prompt-of.ts'
import { firstFrom } from '../prompt/words-in.ts'
import type { Want } from '../slot/slot.ts'
import { ANSWERS } from './answers.ts'

/** Kinds that say by their form whose they are. */
const OTHERS: ReadonlySet<Kind> = new Set(['email', 'url', 'phone', 'address', 'id', 'handle', 'slug', 'moment', 'money'])
const SLUGS = ['slug', 'owner', 'repo']

/** The pieces at which a value told in plain words ends: what is quoted, and what by its form is another slot's. */
export function wallsOf(found: readonly Found[], rivals: Rivals, prompt: Prompt): Found[] {
  return found.filter((one) => one.kind === 'quoted' || isRivals(one, rivals, prompt))
}

/** An id is another's when it stands where ids are told: "list 64b1", "to C0998", but not "upgrade to v2". */
function isRivals({ kind, start, text }: Found, { wants, named }: Rivals, { words }: Prompt): boolean {
  const answered = kind === 'slug' ? SLUGS : (ANSWERS[kind] ?? []).slice(1)
  if (!OTHERS.has(kind) || !answered.some((want) => wants.has(want as Want))) return false
  const before = words[firstFrom(words, start) - 1]
  return kind !== 'id' || named.has(before?.stem ?? '') || (/^[\p{Lu}_]/u.test(text) && /^(?:in|on|to|for)$/.test(before?.lower ?? ''))
}
