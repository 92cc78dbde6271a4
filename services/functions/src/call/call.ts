import type { App, AppFunction, Credentials, Cursor } from '@onward/catalog'
import { writeJson } from '@onward/json'
import { isSuccess, Refusal, type Share, type UserKey } from '@onward/runtime'
import { refuseBlocked } from '../blocking/blocked-users.ts'
import type { Arguments } from '../catalog/validate.ts'
import { releaseApproval } from '../db/approvals.ts'
import type { SealedAccount } from '../db/connected-accounts.ts'
import { updateAccountStatus } from '../onward/account-status.ts'
import { hasAppError, refusesCredentials } from '../onward/app-errors.ts'
import { executeAs, MAX_BODY_BYTES } from '../onward/execute.ts'
import { freshCredentials } from '../onward/fresh-credentials.ts'
import { type Files, loadFiles } from '../onward/load-files.ts'
import { requireAllowed } from '../policy/enforce.ts'
import { type Called, readCalled, refusalOfFailure, warnOfShape, withFields, withRefusedAccount } from './called.ts'
import { openCursor, sealCursor } from './cursor.ts'
import { refuseMisspelt } from './keep-fields.ts'
import type { CallInput, CallParts } from './parts.ts'
import { shownRequest } from './preview.ts'
import { record } from './record.ts'
import { resolve, resolveArguments, unbuildable } from './resolve.ts'

/** How far a call has come. */
export type Lifecycle = {
  /** Runs right before the call attempt is stored. When it throws, the call is not executed. */
  readonly confirm: () => Promise<void>
  /** Whether the call attempt was stored. If so, the call will appear in the calls log. */
  begun: boolean
  /** Returns what `call` would have returned, if the call was made but could not be recorded in time. */
  unrecorded: (() => Called) | undefined
}

export function openLifecycle(confirm = async () => {}): Lifecycle {
  return { confirm, begun: false, unrecorded: undefined }
}

/** Calls a function on behalf of a user. Throws a Refusal when there is no response of the app. */
export async function call(parts: CallParts, caller: UserKey, input: CallInput, lifecycle: Lifecycle): Promise<Called> {
  const memory = parts.memory.open(caller)
  try {
    parts.calls.large.take(memory, input.name)
    return await callWith(memory, parts, caller, input, lifecycle)
  } catch (err) {
    throw withLoginUrl(err, parts.catalog.current.functions.get(input.name)?.fn.app, input.loginUrl)
  } finally {
    memory.close()
  }
}

/** Returns the error with the page on which the user connects an account, if only that helps. */
function withLoginUrl(err: unknown, app: App | undefined, loginUrl: (app: App) => string): unknown {
  const isDisconnected = err instanceof Refusal && (err.code === 'account_not_connected' || err.code === 'account_reconnect_required')
  if (!isDisconnected || app === undefined) return err
  const url = loginUrl(app)
  return url === '' ? err : new Refusal(err.code, err.message, err.details, { ...err.extras, loginUrl: url })
}

async function callWith(memory: Share, parts: CallParts, caller: UserKey, input: CallInput, lifecycle: Lifecycle): Promise<Called> {
  const { callable, account } = await resolve(parts, parts.catalog.current.functions, caller, input.name, input.accountId)
  const { fn } = callable
  const args = await resolveArguments(parts, caller, callable, input)
  if (fn.output !== null && input.fields !== null) refuseMisspelt(fn.output, input.fields)
  const cursor = openCursor(parts.sealer, { caller, fn, accountId: account?.id ?? null, args }, input.cursor)
  const asked = { fn, via: input.via, rules: input.rules, args, accountId: account?.id ?? null, cursor, tokenId: input.tokenId }
  const show = () => shownRequest(parts.sealer, fn, account, args, cursor)
  let loading: Promise<Files> | undefined
  const files = () => (loading ??= filesOf(memory, parts, caller, fn, args))
  const approvalId = await requireAllowed(parts, caller, asked, { requestId: input.requestId, urlOf: input.approvalUrl, show, files })
  const prepared = {
    callId: input.callId,
    fn,
    account,
    args,
    approvalId,
    cursor,
    fields: input.fields,
    via: input.via,
    requestId: input.requestId,
    tokenId: input.tokenId,
    loginUrl: input.loginUrl,
    memory,
  }
  const called = await executePrepared(parts, caller, prepared, await files(), lifecycle)
  if (parts.config.checkResponses) warnOfShape(parts, callable, called)
  return called
}

/** Returns the files of a call. Refuses a blocked user before loading them. */
async function filesOf(memory: Share, parts: CallParts, caller: UserKey, fn: AppFunction, args: Arguments): Promise<Files> {
  if (!fn.files.some((name) => args[name] !== undefined)) return {}
  refuseBlocked(parts.blocking, parts.metrics.refused, caller)
  return await loadFiles({ http: parts.onward.client.http, reach: parts.config.outgoingReach, memory }, fn, args)
}

type Prepared = Pick<CallInput, 'callId' | 'fields' | 'via' | 'requestId' | 'tokenId' | 'loginUrl'> & {
  readonly fn: AppFunction
  readonly account: SealedAccount | null
  readonly args: Arguments
  /** The approval with which the call is made; null if it needs none. */
  readonly approvalId: string | null
  readonly cursor: Cursor | null
  readonly memory: Share
}

async function executePrepared(parts: CallParts, caller: UserKey, prepared: Prepared, files: Files, lifecycle: Lifecycle): Promise<Called> {
  const { callId, fn, account, args, approvalId, cursor, fields, via, requestId, tokenId, loginUrl, memory } = prepared
  const deadline = Date.now() + parts.config.callTimeoutMs
  const opened = account === null ? null : await freshCredentials(parts, account, fn, deadline)
  const openedAt = performance.now()
  const timeoutMs = deadline - Date.now()
  if (timeoutMs <= 0) {
    // The token is usable. Its provider, Postgres or a suspended process may be slow; blame none.
    throw new Refusal('unavailable', `there was no time left to call ${fn.app.title}, so nothing was called; try again`)
  }
  const build = (credentials: Credentials) => fn.request(args, credentials, cursor, files)
  const built = build(opened?.credentials ?? {})
  if ('problems' in built) throw unbuildable(fn, opened?.account ?? null, built.problems)
  if (Buffer.byteLength(built.request.body ?? '') > MAX_BODY_BYTES) {
    throw new Refusal('body_too_large', `the request to ${fn.app.title} would be larger than ${MAX_BODY_BYTES} bytes`)
  }

  const { url } = built.request
  const { name: functionName, version: functionVersion, app } = fn
  refuseBlocked(parts.blocking, parts.metrics.refused, caller)
  await lifecycle.confirm()
  const accountId = account?.id ?? null
  const attempt = { callId, ...caller, functionName, functionVersion, app: app.name, accountId, via, requestId, tokenId }
  await parts.calls.ledger.begin(attempt, approvalId)
  lifecycle.begun = true
  const startedAt = performance.now()
  const draft = { request: built.request, build, memory }
  const { executed, used, redact } = await executeAs(parts, fn, opened, draft, timeoutMs).catch(async (err: unknown) => {
    // executeAs throws only because of a bug. The request may have been sent, so record the call as `unknown`.
    await parts.calls.ledger.finish({ callId, outcome: 'unknown', networkCode: null, durationMs: 0, arguments: null, output: null })
    throw err
  })
  parts.metrics.calls.inc({ app: app.name, outcome: executed.kind === 'answered' ? 'answered' : executed.failure.kind })
  const durationMs = performance.now() - startedAt
  parts.metrics.appSeconds.observe({ app: app.name }, durationMs / 1_000)
  parts.calls.large.note(memory, fn.name, executed)
  const appError = executed.kind === 'answered' && hasAppError(fn, executed)
  const executedCall = { callId, appKey: caller.appKey, executed, appError, durationMs }
  function result(): Called {
    if (executed.kind === 'failed') throw refusalOfFailure(executed.failure, app.title)
    const read = readCalled(fn, executed, { url, cursor, credentials: used?.credentials, redact, appError })
    const asked = { caller, fn, accountId: account?.id ?? null, args }
    const called = fn.cursorIsAddress ? { ...read, cursor: sealCursor(parts.sealer, asked, read.cursor) } : read
    return fields === null || appError || !isSuccess(called.networkCode) ? called : withFields(called, fields)
  }
  const { ledger, bodyQuota } = parts.calls
  await record({ ledger, bodyQuota, callBodies: parts.config.callBodies }, executedCall, () => writeJson(redact.value(args))).catch(
    (err: unknown) => {
      lifecycle.unrecorded = result
      throw err
    },
  )
  parts.metrics.addedSeconds.observe((performance.now() - openedAt - durationMs) / 1_000)
  if (approvalId !== null && executed.kind === 'failed' && !executed.failure.sent) await releaseApproval(parts.db, callId)

  const status = executed.kind === 'answered' && used !== null ? await updateAccountStatus(parts, used, fn, executed) : 'active'
  const isRefused = status !== 'active' && executed.kind === 'answered' && refusesCredentials(fn, executed)
  const called = isRefused ? withRefusedAccount(result(), status, loginUrl(app)) : result()
  const problem = called.meta?.next_page_problem
  if (problem !== undefined)
    parts.log.warn({ call_id: callId, request_id: requestId, function: functionName, problem }, 'a next page was not found')
  return called
}
