import { shortId } from '../../text/format.ts'
import type { Entry } from './entry.ts'
import { WORDS } from './words.ts'

/** Fields of a change that name what it is about, the best one first. */
const NAMES = ['email', 'callback_url', 'user_id', 'display_name', 'name', 'app']

/**
 * Returns what a change is about, in one line with names in place of keys. `nameOf` returns the name of an App-Key or of a subscription.
 * Without a target, that is what was set, or the workspace.
 */
export function subjectOf({ target, before, after }: Entry, nameOf: (key: string) => string): string {
  const { workspace_id: _, app_key: appKey, user_id: user, app, name, function_name: fn, month, subscription_id: subscription } = target
  const told = [subscription && nameOf(subscription), nameIn(after) ?? nameIn(before), user, app, name, fn, month, appKey && nameOf(appKey)]
  const texts = [...new Set(told.filter((text) => text !== undefined && text !== ''))]
  const [id] = Object.entries(target).flatMap(([key, value]) => (/(^|_)id$/.test(key) && key !== 'workspace_id' ? [shortId(value)] : []))
  return texts.length > 0 ? texts.join(', ') : (id ?? target.path ?? WORDS.audit.workspace)
}

function nameIn(values: unknown): string | undefined {
  const [found] = NAMES.map((name): unknown => Object(values)[name]).filter((value) => typeof value === 'string' && value !== '')
  return found as string | undefined
}

/** Who made a change: the e-mail address, or the kind and the name of what was used. `nameOf` returns the name of an application. */
export function actorName({ actor: { kind, name } }: Entry, nameOf: (key: string) => string): string {
  if (kind === 'person') return name === '' ? WORDS.audit.nobody : name
  return kind === 'bootstrap' ? WORDS.audit.actors.bootstrap : `${WORDS.audit.actors[kind]} ${nameOf(name)}`
}

/** A call that waits for an approval was not denied for lack of a right. */
export function outcomeOf({ outcome, code }: Pick<Entry, 'outcome' | 'code'>): Entry['outcome'] | 'asked' {
  return outcome === 'denied' && code === 'approval_required' ? 'asked' : outcome
}
