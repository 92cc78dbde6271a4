import { stem } from '../words/stems.ts'
import { verbClasses } from '../words/word-groups.ts'
import { words } from '../words/words.ts'
import type { Rankable } from './function-text.ts'
import { cutForRanking } from './query.ts'

/** Words with which users ask to destroy something, or to undo or end it. */
const DESTRUCTION: ReadonlySet<string> = new Set(
  (
    'delete deletion remove removal cancel cancellation erase erasure destroy clear discard drop revoke revocation trash bin scrap dump purge wipe ' +
    'prune empty flush stop end close terminate kill abort disable deactivate archive void refund reimburse reverse undo revert retract ' +
    'withdraw rescind recall ban block kick expel evict dismiss leave quit suspend expire reset rotate truncate overwrite throw rid reject ' +
    'decline deny detach disconnect unsubscribe unfollow unstar unpin unlike unshare unlink unassign unpublish unmute unblock unregister ' +
    'unset uninstall unsend untag unwatch'
  )
    .split(' ')
    .map(stem),
)
const IN_SEVERAL_WORDS =
  /\b(?:take|took|taking|pull|money|payment)\b.{0,60}\b(?:back|away|off|down)\b|\bno longer\b|\b(?:do not|don['’]t) (?:send|publish|run)\b/i

/** A question, or a request to show something, that asks for nothing else: "which orders were cancelled?", "list the deleted files". */
const ONLY_READS =
  /^\W*(?:what|who|whose|which|where|when|why|how (?:many|much)|is|are|does|did|has|have|show|list|find|get(?! rid)|read|search|check|look)\b(?!.*(?:[,;]|[.!?]\s+\S|\b(?:and|then|to)\b))/is
/** Verbs of titles such as "Move to trash", which are not a word of destruction. */
const ORDINARY: ReadonlySet<string> = new Set('give have let make mark move put take turn'.split(' ').map(stem))

/**
 * Tells whether a function may be the first one for a prompt: false for a destructive function if the prompt has no word of destruction or
 * only asks to read something. The verb of the function's title is such a word too, unless it is an ordinary verb such as "change". A
 * passthrough sends what the caller says.
 */
export function openMayBeFirst(text: string): (fn: Rankable) => boolean {
  const prompt = cutForRanking(text)
  const said = new Set(words(prompt).map(stem))
  const onlyReads = ONLY_READS.test(prompt)
  const asked = [...said].some((each) => DESTRUCTION.has(each)) || IN_SEVERAL_WORDS.test(prompt)
  return ({ destructive, type, title }) => {
    if (!destructive || type === 'PASSTHROUGH') return true
    const [verb = ''] = words(title).map(stem)
    return !onlyReads && (asked || (said.has(verb) && verbClasses([verb]) === 0 && !ORDINARY.has(verb)))
  }
}

/** Moves the first function that may be first to the front. Returns an empty list if none may. */
export function moveToFront<T extends { readonly number: number }>(ranked: readonly T[], mayBeFirst: (number: number) => boolean): T[] {
  const front = ranked.find(({ number }) => mayBeFirst(number))
  return front === undefined ? [] : [front, ...ranked.filter((each) => each !== front)]
}
