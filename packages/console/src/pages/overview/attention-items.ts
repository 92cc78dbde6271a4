import type { getWorkspaceAttention, ResponseOf, readAttention } from '@onward/contract'
import type { Target } from '../../shell/links.tsx'
import { formatCount } from '../../text/format.ts'
import { OVERVIEW_WORDS } from './words.ts'

const WORDS = OVERVIEW_WORDS.attention

/** Something that a person should look at, with where to look. `at` is since when. */
export type Item = {
  readonly text: string
  readonly tone: 'warn' | 'bad'
  readonly at: string | null
  readonly target: Target
}

/** Returns what functions reports: broken accounts by app, rejected functions, and calls that wait for an approval. */
export function itemsOfFunctions({ broken_accounts, rejected_functions, pending_approvals }: ResponseOf<typeof readAttention>): Item[] {
  const broken = broken_accounts.map(({ app, status, accounts }): Item => {
    const count = formatCount(accounts, WORDS.account.one, WORDS.account.other)
    return { text: WORDS.broken[status](count, app), tone: 'bad', at: null, target: { page: 'accounts', search: { app, status } } }
  })
  const rejected = formatCount(rejected_functions, WORDS.rejected.one, WORDS.rejected.other)
  const waiting = formatCount(pending_approvals, WORDS.waiting.one, WORDS.waiting.other)
  return [
    ...(pending_approvals > 0 ? [{ text: waiting, tone: 'warn', at: null, target: { page: 'approvals' } } as const] : []),
    ...broken,
    ...(rejected_functions > 0 ? [{ text: rejected, tone: 'warn', at: null, target: { page: 'catalog' } } as const] : []),
  ]
}

/** Returns what insights reports: users at their limits, and subscriptions that fail. */
export function itemsOfInsights({ users_over, users_near, subscriptions }: ResponseOf<typeof getWorkspaceAttention>): Item[] {
  const users: Item[] = [
    { text: formatCount(users_over, WORDS.over.one, WORDS.over.other), tone: 'bad', at: null, target: USERS_OVER },
    { text: formatCount(users_near, WORDS.near.one, WORDS.near.other), tone: 'warn', at: null, target: USERS_NEAR },
  ]
  return [
    ...subscriptions.map(({ subscription_id, callback_url, failing_since, disabled_at }): Item => {
      const endpoint = endpointOf(callback_url)
      return {
        text: disabled_at === null ? WORDS.failing(endpoint) : WORDS.disabled(endpoint),
        tone: 'bad',
        at: disabled_at ?? failing_since,
        target: { page: 'webhooks', path: subscription_id },
      }
    }),
    ...users.slice(users_over === 0 ? 1 : 0, users_near === 0 ? 1 : 2),
  ]
}

const USERS_OVER: Target = { page: 'users', search: { state: 'reached' } }
const USERS_NEAR: Target = { page: 'users', search: { state: 'near' } }

/** The host with the path, which tells two endpoints of a host apart, but not the query, which can hold a token. */
function endpointOf(url: string): string {
  return url.replace(/^https?:\/\/|\/?(?:[?#].*)?$/g, '')
}
