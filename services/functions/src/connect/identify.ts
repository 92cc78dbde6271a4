import { type App, type Credentials, compilePointer } from '@onward/catalog'
import type { Failure } from '@onward/runtime'
import { type Executed, execute } from '../call/execute.ts'
import { redactor } from '../call/redact.ts'
import type { Context } from '../context.ts'

/** Whose account some credentials are of. `refused`: not by anyone's; `unavailable`: the app could not be asked. */
export type Identified =
  | { readonly kind: 'known'; readonly name: string | undefined; readonly id: string | undefined }
  | { readonly kind: 'refused'; readonly problem: string }
  | { readonly kind: 'unavailable'; readonly problem: string }

const TIMEOUT_MS = 15_000

/**
 * Asks the app's identity function, which shows too whether the credentials are good. It is no task of the user's: neither logged nor
 * counted. An app without such a function is not asked.
 */
export async function identify(ctx: Context, app: App, credentials: Credentials): Promise<Identified> {
  const { identity, title } = app
  const fn = identity && ctx.catalog.current.functions.get(identity.function)?.fn
  if (!identity || !fn) return { kind: 'known', name: undefined, id: undefined }
  const built = fn.request(identity.arguments, credentials, null)
  if ('problems' in built) return { kind: 'refused', problem: `${title} can not be asked with these: ${built.problems.join('; ')}` }
  const executed = await execute(ctx.onward.client.http, fn, built.request, redactor(app, credentials), TIMEOUT_MS)
  const problem = problemOf(executed, title)
  if (problem !== undefined) return problem
  const { status, body, headers } = executed as Extract<Executed, { kind: 'answered' }>
  const { output } = fn.answer(status, body, null, headers)
  const name = compilePointer(identity.name)(output)
  const id = identity.id === undefined ? undefined : compilePointer(identity.id)(output)
  // Some apps refuse with 200 and an error in the body.
  if (name === undefined && id === undefined) return { kind: 'refused', problem: `${title} did not accept these credentials.` }
  return { kind: 'known', name: textOf(name), id: textOf(id) }
}

function problemOf(executed: Executed, title: string): Identified | undefined {
  if (executed.kind === 'failed') return { kind: 'unavailable', problem: `${title} ${whyNot(executed.failure)}. Please try again.` }
  const { status } = executed
  if (status >= 200 && status < 300) return undefined
  if (status === 408 || status === 429)
    return { kind: 'unavailable', problem: `${title} is too busy just now (${status}). Please try again.` }
  if (status >= 400 && status < 500) return { kind: 'refused', problem: `${title} did not accept these credentials (${status}).` }
  return { kind: 'unavailable', problem: `${title} does not work just now (${status}). Please try again.` }
}

function whyNot({ kind }: Failure): string {
  switch (kind) {
    case 'blocked':
      return 'was not asked: its address is not a public one'
    case 'unreachable':
      return 'could not be reached'
    case 'timed_out':
      return 'did not answer in time'
    case 'broken':
      return 'broke its answer off'
    case 'too_large':
      return 'answered more than can be read'
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}
