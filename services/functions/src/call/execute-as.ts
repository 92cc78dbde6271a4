import type { AppFunction, BuiltRequest, Credentials, OnwardRequest } from '@onward/catalog'
import { type OpenAccount, renewCredentials } from '../connect/tokens/tokens.ts'
import type { Context } from '../context.ts'
import { type Executed, execute } from './execute.ts'
import { type Redactor, redactor } from './redact.ts'

/** A request, and how it is built anew with other credentials. */
type Draft = { readonly request: OnwardRequest; build(credentials: Credentials): BuiltRequest }

type Made = {
  readonly executed: Executed
  /** The account as it was used last. */
  readonly open: OpenAccount | null
  /** Knows the secrets of all that was sent. */
  readonly redact: Redactor
}

/**
 * Makes an onward call as an account. Where the app answers 401 and the account's access token can be renewed, the call is made once
 * more, whatever its type: what was answered 401 was not done.
 */
export async function executeAs(ctx: Context, fn: AppFunction, open: OpenAccount | null, draft: Draft, timeoutMs: number): Promise<Made> {
  const deadline = Date.now() + timeoutMs
  const redact = redactor(fn.app, open?.credentials ?? {})
  const first = await execute(ctx.onward.client.http, fn, draft.request, redact, timeoutMs)
  const made = { executed: first, open, redact }
  if (open === null || first.kind === 'failed' || first.status !== 401) return made

  const renewed = await renewCredentials(ctx, open, fn.app, deadline)
  if (renewed === undefined) return made
  const built = draft.build(renewed.credentials)
  if ('problems' in built) return made
  const both = redactor(fn.app, open.credentials, renewed.credentials)
  const second = await execute(ctx.onward.client.http, fn, built.request, both, Math.max(1, deadline - Date.now()))
  // Not heard because nothing could be sent: what was answered stands.
  if (second.kind === 'failed' && !second.failure.sent) return { ...made, redact: both }
  return { executed: second, open: renewed, redact: both }
}
