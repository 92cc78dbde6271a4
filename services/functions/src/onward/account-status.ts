import { type App, schemeOf } from '@onward/catalog'
import type { Log } from '@onward/runtime'
import { setStatus } from '../db/account-renewal.ts'
import type { Account } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import { oneLine } from '../oauth/errors.ts'
import { isJustRenewed, type OpenAccount, renewableScheme } from './credentials.ts'
import type { HeldAccounts } from './held-accounts.ts'

type Status = Account['status']

/**
 * `refused`: the app answered 401 to a new token, or to credentials that only the user can replace.
 * `grant_gone`: the app or the OAuth server permanently rejected the grant.
 * `renewal_failed`: there is no new token; a later try may succeed.
 * `worked`: the app answered 2xx.
 */
export type AccountEvent = 'refused' | 'grant_gone' | 'renewal_failed' | 'worked'

/** The status after an event; unlisted events leave the status as it is. Connecting an account or renewing its token sets `active`. */
const TRANSITIONS: Readonly<Record<Status, Partial<Readonly<Record<AccountEvent, Status>>>>> = {
  active: { refused: 'expired', renewal_failed: 'expired', grant_gone: 'reconnect_required' },
  expired: { worked: 'active', grant_gone: 'reconnect_required' },
  reconnect_required: {},
}

export function statusAfter(status: Status, event: AccountEvent): Status {
  return TRANSITIONS[status][event] ?? status
}

/** The most characters of an account's stored last error. */
export const MAX_LAST_ERROR = 300

/** Stores the status that follows from an app's answer; most answers do not change it. `body` must be redacted. */
export async function updateAccountStatus(
  { db, accounts, log }: { readonly db: Db; readonly accounts: Pick<HeldAccounts, 'drop'>; readonly log: Log },
  opened: OpenAccount,
  app: App,
  status: number,
  body: unknown,
): Promise<void> {
  const { account } = opened
  const event = eventOf(opened, app, status)
  const next = event === undefined ? account.status : statusAfter(account.status, event)
  if (next === account.status) return
  const text = errorText(body)
  const problem = `${app.title} answered ${status}${text === undefined ? '' : `: ${text}`}`
  const lastError = next === 'active' ? null : oneLine(problem, MAX_LAST_ERROR)
  await setStatus(db, account.id, account.version, { status: next, lastError }).catch((err: unknown) => {
    log.warn({ err, accountId: account.id }, 'the status of an account could not be stored')
  })
  accounts.drop(account)
}

function eventOf({ account, credentials }: OpenAccount, app: App, status: number): AccountEvent | undefined {
  if (status >= 200 && status <= 299) return 'worked'
  if (status !== 401) return undefined
  // A 401 to a renewable token has already caused a renewal, and a failed renewal has stored its own status. So only a 401 to a new token
  // changes the status here.
  if (renewableScheme(app, credentials) !== undefined) return isJustRenewed(account) ? 'refused' : undefined
  switch (schemeOf(app, credentials)?.type) {
    case 'none':
      return undefined
    case 'oauth2':
      return 'grant_gone'
    default:
      return 'refused'
  }
}

/** Returns the message in the body of an error, from the fields in which most APIs put it. */
function errorText(body: unknown): string | undefined {
  if (typeof body === 'string') return body.startsWith('<') ? undefined : body.trim() || undefined
  if (typeof body !== 'object' || body === null) return undefined
  const { error_description, message, detail, error, errors } = body as Record<string, unknown>
  for (const value of [error_description, message, detail, error, Array.isArray(errors) ? errors[0] : errors]) {
    const text = errorText(value)
    if (text !== undefined) return text
  }
  return undefined
}
