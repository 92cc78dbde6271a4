import type { AppFunction, Credentials, Cursor } from '@onward/catalog'
import type { CallOutcome } from '@onward/contract'
import { isSuccess, type Share, type Shares, type UserKey, uuidv7 } from '@onward/runtime'
import { insertInternalCall } from '../db/calls.ts'
import type { SealedAccount } from '../db/connected-accounts.ts'
import { updateAccountStatus } from './account-status.ts'
import { hasAppError } from './app-errors.ts'
import type { OpenAccount } from './credentials.ts'
import { executeAs, type Onward } from './execute.ts'
import { freshCredentials } from './fresh-credentials.ts'
import type { RenewalParts } from './renew-token.ts'

/** A call that the service makes for itself. `deadline` is in milliseconds since the epoch. */
export type InternalCall = {
  readonly fn: AppFunction
  readonly args: Readonly<Record<string, unknown>>
  readonly account: SealedAccount | null
  readonly deadline: number
}

/** The parts that an internal call needs. */
export type InternalCallParts = RenewalParts & { readonly onward: Onward; readonly memory: Shares }

/** A page of an internal call. Outside 2xx, it has no output. `isCutOff` says whether a next page cannot be requested. */
type Page = { readonly status: number; readonly output: unknown; readonly cursor: Cursor | null; readonly isCutOff: boolean }

/** Sends one request of the call. Returns undefined if it cannot be built, or there is no response in time. */
export type ReadPage = (cursor: Cursor | null) => Promise<Page | undefined>

/** The result of the last request; `outcome` is undefined before the first. */
type LastRequest = { outcome: CallOutcome | undefined; networkCode: number | null }

/** Makes a call with the pages that `read` reads. The call is logged as internal and does not count as a task. Returns what `read` returns. */
export async function callInternally<T>(
  parts: InternalCallParts,
  caller: UserKey,
  call: InternalCall,
  read: (readPage: ReadPage) => Promise<T>,
): Promise<T> {
  const startedAt = new Date()
  const last: LastRequest = { outcome: undefined, networkCode: null }
  const memory = parts.memory.open(caller)
  try {
    return await read(pagesOf(parts, call, memory, last))
  } finally {
    memory.close()
    const { outcome, networkCode } = last
    if (outcome !== undefined) {
      const { fn, account } = call
      const about = { functionName: fn.name, functionVersion: fn.version, app: fn.app.name, accountId: account?.id ?? null }
      const logged = {
        callId: uuidv7(),
        ...caller,
        ...about,
        outcome,
        networkCode,
        startedAt,
        durationMs: Date.now() - startedAt.getTime(),
      }
      await insertInternalCall(parts.db, logged).catch((err: unknown) => parts.log.warn({ err }, 'an internal call could not be logged'))
    }
  }
}

function pagesOf(parts: InternalCallParts, { fn, args, account, deadline }: InternalCall, memory: Share, last: LastRequest): ReadPage {
  let opened: OpenAccount | null | undefined
  return async (cursor) => {
    if (Date.now() >= deadline) return undefined
    opened ??= account === null ? null : await freshCredentials(parts, account, fn, deadline)
    const build = (credentials: Credentials) => fn.request(args, credentials, cursor)
    const built = build(opened?.credentials ?? {})
    if ('problems' in built) return undefined
    const draft = { request: built.request, build, memory }
    const { executed, used } = await executeAs(parts, fn, opened, draft, Math.max(1, deadline - Date.now()))
    if (executed.kind === 'failed') {
      Object.assign(last, { outcome: executed.failure.sent ? 'no_answer' : 'unreachable', networkCode: null })
      return undefined
    }
    opened = used
    const { status, body, headers } = executed
    Object.assign(last, { outcome: hasAppError(fn, executed) ? 'app_error' : 'answered', networkCode: status })
    if (used !== null) await updateAccountStatus(parts, used, fn, executed)
    if (!isSuccess(status)) return { status, output: null, cursor: null, isCutOff: false }
    const { output, cursor: next, nextPageProblem } = fn.readResponse(status, body, cursor, headers, used?.credentials, built.request.url)
    return { status, output, cursor: next ?? null, isCutOff: nextPageProblem !== undefined }
  }
}
