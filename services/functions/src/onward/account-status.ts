import { type AppFunction, schemeOf } from '@onward/catalog'
import { isSuccess, type Log, type Sealer } from '@onward/runtime'
import { setStatus, storeRenewed } from '../db/account-renewal.ts'
import { type Account, accountRow } from '../db/connected-accounts.ts'
import type { Db } from '../db/tables.ts'
import { oneLine } from '../oauth/errors.ts'
import { withoutToken } from '../oauth/exchange.ts'
import { type AppResponse, hasAppError, isChallenge, refusesCredentials } from './app-errors.ts'
import { isJustRenewed, type OpenAccount, renewableScheme, type Token, tokenFor } from './credentials.ts'
import type { HeldAccounts } from './held-accounts.ts'

type Status = Account['status']

/**
 * `refused`: the app refused a new token, or answered 401 to credentials that only the user can replace.
 * `grant_gone`: the app or the OAuth server permanently rejected the credentials.
 * `renewal_failed`: there is no new token; a later try may succeed.
 * `worked`: the app answered 2xx, and no error.
 */
export type AccountEvent = 'refused' | 'grant_gone' | 'renewal_failed' | 'worked'

/** The status after an event; unlisted events leave the status as it is. Connecting an account or renewing its token sets `active`. */
const TRANSITIONS: Readonly<Record<Status, Partial<Readonly<Record<AccountEvent, Status>>>>> = {
  active: { refused: 'expired', renewal_failed: 'expired', grant_gone: 'reconnect_required' },
  expired: { worked: 'active', grant_gone: 'reconnect_required' },
  // No call is made with such an account, but the test of an account may show that the app accepts it again.
  reconnect_required: { worked: 'active' },
}

export function statusAfter(status: Status, event: AccountEvent): Status {
  return TRANSITIONS[status][event] ?? status
}

/** Maximum length of an account's stored last error, in characters. */
export const MAX_LAST_ERROR = 300

type Parts = {
  readonly db: Db
  readonly sealer: Sealer
  readonly accounts: Pick<HeldAccounts, 'drop'>
  readonly log: Log
}

/**
 * Stores the status that follows from an app's response. Most responses do not change it. A response to a request that was not signed with
 * the access token never does: if the app permanently refuses one of the other tokens, that token is deleted from the account, and the
 * functions that need it ask the user to connect again. Returns the status after the response; `reconnect_required` if such a token was
 * deleted.
 */
export async function updateAccountStatus(parts: Parts, opened: OpenAccount, fn: AppFunction, response: AppResponse): Promise<Status> {
  const { account, credentials } = opened
  const token = tokenFor(fn, credentials)
  const event = eventOf(opened, fn, token, response)
  const next = event === undefined ? account.status : statusAfter(account.status, event)
  const lostToken = event === 'grant_gone' ? token.other : null
  if (lostToken === null && (next === account.status || token.other !== null)) return account.status
  const { db, sealer, accounts, log } = parts
  const text = next === 'active' ? undefined : errorText(response.body)
  const problem = `${fn.app.title} answered ${response.status}${text === undefined ? '' : `: ${text}`}`
  const lastError = next === 'active' ? null : oneLine(problem, MAX_LAST_ERROR)
  try {
    if (lostToken === null) await setStatus(db, account.id, account.version, { status: next, lastError })
    else {
      const sealedCredentials = sealer.seal(JSON.stringify(withoutToken(credentials, lostToken)), accountRow(account.id))
      await storeRenewed(db, account, { sealedCredentials, renewedAt: account.renewedAt, status: account.status, lastError })
    }
  } catch (err) {
    log.warn({ err, accountId: account.id }, 'the status of an account could not be stored')
  }
  accounts.drop(account)
  return next
}

function eventOf({ account, credentials }: OpenAccount, fn: AppFunction, token: Token, response: AppResponse): AccountEvent | undefined {
  const { status } = response
  if (!refusesCredentials(fn, response)) {
    const worked = isSuccess(status) && account.status !== 'active' && !hasAppError(fn, response)
    return worked ? 'worked' : undefined
  }
  // The refusal of a renewable token has already caused a renewal, and a failed renewal has stored its own status. So only the refusal of a
  // new token changes the status here.
  if (renewableScheme(fn.app, credentials, token) !== undefined) return isJustRenewed(account) ? 'refused' : undefined
  switch (schemeOf(fn.app, credentials)?.type) {
    case 'none':
      return undefined
    case 'oauth2':
      return 'grant_gone'
    default:
      // Some apps answer 401 for reasons that pass. A code of the app file says that the credentials are no longer valid.
      return status === 401 || isChallenge(response) ? 'refused' : 'grant_gone'
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
