import type { Cursor } from '@onward/catalog'
import { Refusal, uuidv7 } from '@onward/runtime'
import type { Caller } from '../auth.ts'
import type { Context } from '../context.ts'
import { type Executed, execute, MAX_BODY_BYTES } from './execute.ts'
import { record } from './record.ts'
import { redactor } from './redact.ts'
import { resolve } from './resolve.ts'
import { type Arguments, readCallCursor, refuse, validate } from './validate.ts'
import { fillVariables, type Variables } from './variables.ts'

export type CallInput = {
  readonly name: string
  readonly args: Arguments
  /** Whether the arguments came as a form, so that all of them are text. */
  readonly form: boolean
  readonly variables: Variables | null
  readonly cursor: unknown
  readonly accountId: string | undefined
}

export type Called = { readonly networkCode: number; readonly output: unknown; readonly cursor: Cursor | null | undefined }

/** Calls a function on behalf of a user. `onCallId` hears the id of the call as soon as it exists: from then on it is logged. */
export async function call(ctx: Context, caller: Caller, input: CallInput, onCallId: (id: string) => void): Promise<Called> {
  const { callable, accountId, credentials } = await resolve(ctx, caller, input.name, input.accountId)
  const { fn } = callable
  const filled = input.variables === null ? input.args : fillVariables(input.args, input.variables)
  const args = validate(callable, filled, input.form)
  const cursor = readCallCursor(fn, input.cursor)
  const built = fn.request(args, credentials, cursor)
  if ('problems' in built) {
    refuse(built.problems)
    throw new Error(`${fn.name} could not be built, and gave no problem`)
  }

  if (Buffer.byteLength(built.request.body ?? '') > MAX_BODY_BYTES) {
    throw new Refusal('body_too_large', `the request to ${fn.app.title} would be larger than ${MAX_BODY_BYTES} bytes`)
  }

  const callId = uuidv7()
  const attempt = { callId, ...caller, functionName: fn.name, functionVersion: fn.version, app: fn.app.name, accountId }
  await ctx.ledger.begin(attempt)
  onCallId(callId)
  const startedAt = performance.now()
  const redact = redactor(fn.app, credentials)
  const executed = await execute(ctx.onward.http, fn, built.request, redact.answer, ctx.callTimeoutMs).catch(async (err: unknown) => {
    // A bug of ours, and the request may have been sent: the attempt must not stay open.
    await ctx.ledger.finish({ callId, outcome: 'unknown', networkCode: null, durationMs: 0, arguments: null, output: null })
    throw err
  })
  ctx.measured.calls.inc({ app: fn.app.name, outcome: executed.kind === 'answered' ? 'answered' : executed.failure.kind })
  await record(ctx, callId, executed, () => JSON.stringify(redact.value(args)), performance.now() - startedAt)

  if (executed.kind === 'failed') throw refusalOf(executed, fn.app.title)
  const { output, cursor: next } = fn.answer(executed.status, executed.body, cursor)
  return { networkCode: executed.status, output, cursor: next }
}

function refusalOf({ failure }: Extract<Executed, { kind: 'failed' }>, app: string): Refusal {
  switch (failure.kind) {
    case 'blocked':
      return new Refusal('upstream_unreachable', `${app} was not called: its address is not a public one`)
    case 'unreachable':
      return new Refusal('upstream_unreachable', `${app} could not be reached; nothing was sent`)
    case 'timed_out':
      return failure.sent
        ? new Refusal('upstream_timeout', `${app} did not answer in time; the call may have taken effect`)
        : new Refusal('upstream_unreachable', `${app} could not be reached in time; nothing was sent`)
    case 'broken':
      return new Refusal('upstream_invalid', `the answer of ${app} broke off; the call may have taken effect`)
    case 'too_large':
      return new Refusal('upstream_invalid', `the answer of ${app} is too large; the call may have taken effect`)
  }
}
