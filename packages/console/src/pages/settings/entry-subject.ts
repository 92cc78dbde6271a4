import { shortId } from '../../text/format.ts'
import type { Entry } from './merge-audit.ts'
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
