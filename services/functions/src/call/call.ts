import type { AppFunction, Credentials, Cursor } from '@onward/catalog'
import { Refusal } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import { refuseBlocked } from '../blocking/blocked-users.ts'
import { noteAnswer } from '../connect/tokens/note-answer.ts'
import { freshCredentials } from '../connect/tokens/tokens.ts'
import type { Context } from '../context.ts'
import type { SealedAccount } from '../db/connected-accounts.ts'
import { MAX_BODY_BYTES } from './bounds.ts'
import { executeAs } from './execute-as.ts'
import { type Files, loadFiles } from './load-files.ts'
import { record } from './record.ts'
import { refusalOf } from './refusal-of.ts'
import { refuse } from './refuse.ts'
import { resolve } from './resolve.ts'
import { type Arguments, readCallCursor, validate } from './validate.ts'
import { fillVariables, type Variables } from './variables.ts'

/** With the time that files, the call and its record may take, less than the gateway waits. */
const FILES_WAIT_MS = 10_000

export type CallInput = {
  /** The id that the call gets if it is made. */
  readonly callId: string
  readonly name: string
  readonly args: Arguments
  /** Whether the arguments came as a form, so that all of them are text. */
  readonly form: boolean
  readonly variables: Variables | null
  readonly cursor: unknown
  readonly accountId: string | undefined
}

export type Called = { readonly networkCode: number; readonly output: unknown; readonly cursor: Cursor | null | undefined }

export type CallSteps = {
  /** Is awaited right before the call is noted; what it throws keeps the call from being made. */
  confirm(): Promise<void>
  /** The call is about to be made: from now on it is logged. */
  begun(): void
}

/** Calls a function on behalf of a user. */
export async function call(ctx: Context, caller: Caller, input: CallInput, steps: CallSteps): Promise<Called> {
  const { callable, account } = await resolve(ctx, caller, input.name, input.accountId)
  const { fn } = callable
  const filled = input.variables === null ? input.args : fillVariables(input.args, input.variables)
  const args = validate(callable, filled, input.form)
  const prepared = { fn, account, args, cursor: readCallCursor(fn, input.cursor) }
  const run = (files: Files) => make(ctx, caller, input.callId, { ...prepared, files }, steps)
  if (!fn.files.some((name) => args[name] !== undefined)) return await run({})
  refuseBlocked(ctx.blocking, ctx.metrics.refused, caller)
  // Files are held in memory until they are sent.
  return await ctx.onward.fileCalls(
    async () => await run(await loadFiles(ctx.onward.client.http, ctx.config.outgoingReach, fn, args)),
    FILES_WAIT_MS,
  )
}

type Prepared = {
  readonly fn: AppFunction
  readonly account: SealedAccount | null
  readonly args: Arguments
  readonly cursor: Cursor | null
  readonly files: Files
}

async function make(
  ctx: Context,
  caller: Caller,
  callId: string,
  { fn, account, args, cursor, files }: Prepared,
  steps: CallSteps,
): Promise<Called> {
  const waitedFrom = Date.now()
  const open = account === null ? null : await freshCredentials(ctx, account, fn.app, waitedFrom + ctx.config.callTimeoutMs)
  const timeoutMs = ctx.config.callTimeoutMs - (Date.now() - waitedFrom)
  if (timeoutMs <= 0)
    throw new Refusal('token_renewal_failed', `the access token for ${fn.app.title} took all the time there was; nothing was called`)
  const build = (credentials: Credentials) => fn.request(args, credentials, cursor, files)
  const built = build(open?.credentials ?? {})
  if ('problems' in built) {
    refuse(built.problems)
    throw new Error(`${fn.name} could not be built, and gave no problem`)
  }

  if (Buffer.byteLength(built.request.body ?? '') > MAX_BODY_BYTES) {
    throw new Refusal('body_too_large', `the request to ${fn.app.title} would be larger than ${MAX_BODY_BYTES} bytes`)
  }

  const attempt = {
    callId,
    ...caller,
    functionName: fn.name,
    functionVersion: fn.version,
    app: fn.app.name,
    accountId: account?.id ?? null,
  }
  refuseBlocked(ctx.blocking, ctx.metrics.refused, caller)
  await steps.confirm()
  await ctx.ledger.begin(attempt)
  steps.begun()
  const startedAt = performance.now()
  const made = await executeAs(ctx, fn, open, { request: built.request, build }, timeoutMs).catch(async (err: unknown) => {
    // A bug of ours, and the request may have been sent: the attempt must not stay open.
    await ctx.ledger.finish({ callId, outcome: 'unknown', networkCode: null, durationMs: 0, arguments: null, output: null })
    throw err
  })
  const { executed, redact } = made
  ctx.metrics.calls.inc({ app: fn.app.name, outcome: executed.kind === 'answered' ? 'answered' : executed.failure.kind })
  const executedCall = { callId, executed, durationMs: performance.now() - startedAt }
  await record(ctx.ledger, ctx.config.callBodies, executedCall, () => JSON.stringify(redact.value(args)))

  if (executed.kind === 'failed') throw refusalOf(executed, fn.app.title)
  if (made.open !== null) await noteAnswer(ctx, made.open, fn.app, executed.status, executed.body)
  const { output, cursor: next } = fn.answer(executed.status, executed.body, cursor, executed.headers, made.open?.credentials)
  return { networkCode: executed.status, output, cursor: next }
}
