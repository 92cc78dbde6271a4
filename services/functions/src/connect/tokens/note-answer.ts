import { type App, schemeOf } from '@onward/catalog'
import type { Context } from '../../context.ts'
import { setStatus } from '../../db/account-renewal.ts'
import { oneLine } from '../one-line.ts'
import { type AccountEvent, statusAfter } from './account-states.ts'
import { renewableScheme } from './credentials.ts'
import { isJustRenewed, type OpenAccount } from './tokens.ts'

const MAX_ERROR = 300

/** Notes what an app's answer says about an account; most say nothing new, and cost nothing. `body` is without secrets. */
export async function noteAnswer(ctx: Context, open: OpenAccount, app: App, status: number, body: unknown): Promise<void> {
  const { account } = open
  const event = eventOf(open, app, status)
  const next = event === undefined ? account.status : statusAfter(account.status, event)
  if (next === account.status) return
  const text = errorText(body)
  const problem = `${app.title} answered ${status}${text === undefined ? '' : `: ${text}`}`
  const lastError = next === 'active' ? null : oneLine(problem, MAX_ERROR)
  await setStatus(ctx.db, account.id, account.version, { status: next, lastError }).catch((err: unknown) => {
    ctx.log.warn({ err, accountId: account.id }, 'the status of an account could not be stored')
  })
}

function eventOf({ account, credentials }: OpenAccount, app: App, status: number): AccountEvent | undefined {
  if (status >= 200 && status <= 299) return 'worked'
  if (status !== 401) return undefined
  // What can be renewed has been, or its OAuth server has said why not; a token that was refused when it was new is worth telling of.
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

/** The message in an error body, where APIs mostly put it. */
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
