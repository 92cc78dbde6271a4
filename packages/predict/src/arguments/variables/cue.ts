import { canonical } from './canonical.ts'
import type { Mention } from './mentions.ts'
import type { Target } from './targets-of.ts'
import { ALIKE, KINDS } from './word-sets.ts'

/** How far the words around a mention say that it is meant for a parameter: 0 not at all, 8 by the parameter's name. */
export function cue({ before, after, by, variable }: Mention, { words, head }: Target, title: readonly string[]): number {
  if (words.length === 0) return 0
  // "as subject", "in the subject", "for the subject"
  const behind = after[0] === 'as' ? canonical(after.slice(1).join(' ')) : []
  if (words.every((word) => behind.includes(word))) return 8
  // "the status of the ticket" names a part of it.
  if (by === 'owner' && before[0] === 'of') return 0
  if (before[0] === 'after' && (by === 'owner' || variable.last[0] === 'name') && words.some((word) => ALIKE[1]?.has(word))) return 6
  const ahead = canonical([...before].reverse().join(' '))
  if (words.every((word) => ahead.includes(word))) return 6
  if (words.filter((word) => ahead.includes(word) && !title.includes(word)).length * 2 >= words.length) return 4
  if ((before[0] === 'from' && words.includes('head')) || (before[0] === 'into' && words.includes('base'))) return 5
  const first = head[0]
  return first !== undefined && ahead.includes(first) && !KINDS.has(first) && !title.includes(first) ? 4 : 0
}
