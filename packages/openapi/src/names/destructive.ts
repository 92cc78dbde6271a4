import type { Operation } from '../documents/spec.ts'
import { splitWords } from '../text.ts'
import { singular } from './words.ts'

/** Words that say in any place of a name that something is destroyed or taken away. */
const ANYWHERE: ReadonlySet<string> = new Set([
  ...['cancel', 'deactivate', 'delete', 'destroy', 'erase', 'evict', 'kick', 'purge', 'remove', 'revoke', 'terminate', 'uninstall', 'wipe'],
  ...['cancellation', 'deactivation', 'deletion', 'erasure', 'removal', 'revocation', 'termination'],
])

/** Words that say it only as the verb of a name: `end-meeting`, but not `update-end-date`. */
const AS_VERB: ReadonlySet<string> = new Set([
  ...['ban', 'clear', 'disable', 'discard', 'drop', 'empty', 'end', 'expire', 'refund', 'reset', 'reverse', 'rotate', 'stop', 'suspend'],
  ...['transfer', 'trash', 'truncate', 'void'],
])

/** `create-refund` is destructive too, but `update-refund` is not. */
const TO_CREATE: ReadonlySet<string> = new Set(['add', 'create', 'issue', 'make', 'post', 'request'])

/** Returns whether an operation that changes something is destructive, by its method, the words of its name and id, and the end of its path. */
export function isDestructive({ method, path, id = '' }: Operation, phrase: string): boolean {
  if (method === 'DELETE') return true
  const words = phrase.split('-').filter((word) => word !== 'batch' && word !== 'bulk')
  const [verb = '', ...rest] = words
  const [pathVerb = '', ...further] = splitWords(path.split(/[/:]/).at(-1) ?? '')
  return (
    [...words, ...splitWords(id)].some((word) => ANYWHERE.has(singular(word))) ||
    AS_VERB.has(verb) ||
    (TO_CREATE.has(verb) && rest.some((word) => AS_VERB.has(singular(word)))) ||
    (further.length === 0 && (ANYWHERE.has(pathVerb) || AS_VERB.has(pathVerb)))
  )
}
