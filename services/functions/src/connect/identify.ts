import { type App, type AppFunction, type BuiltRequest, type Credentials, compilePointer, type Scheme } from '@onward/catalog'
import { ExactNumber } from '@onward/json'
import type { FailureKind, Shares, UserKey } from '@onward/runtime'
import { isSuccess } from '@onward/runtime'
import { fill, type PageTexts, type Say } from '@onward/texts'
import type { LiveCatalog } from '../catalog/live-catalog.ts'
import type { SealedAccount } from '../db/connected-accounts.ts'
import { OAuthError } from '../oauth/errors.ts'
import { needsNoSignIn, requestToken } from '../oauth/request-token.ts'
import type { TokenSender } from '../oauth/send.ts'
import { updateAccountStatus } from '../onward/account-status.ts'
import { type Executed, execute, executeAs, type Onward } from '../onward/execute.ts'
import { freshCredentials } from '../onward/fresh-credentials.ts'
import { redactor } from '../onward/redact.ts'
import type { RenewalParts } from '../onward/renew-token.ts'

/**
 * `known`: the app accepts the credentials, or it has no identity function. `refused`: the app does not accept them. `unavailable`: the app
 * sent no usable response.
 */
export type Identified = { readonly kind: 'known'; readonly name: string | undefined; readonly id: string | undefined } | NotIdentified

type NotIdentified = { readonly kind: 'refused' | 'unavailable'; readonly problem: Say }

/** The result of a test; `credentials` contain a first access token if the scheme has one. */
export type Tested = NotIdentified | (Extract<Identified, { kind: 'known' }> & { readonly credentials: Credentials })

type Parts = {
  readonly catalog: Pick<LiveCatalog, 'current'>
  readonly onward: Onward
  readonly memory: Pick<Shares, 'open'>
  readonly oauth: TokenSender
}

const TIMEOUT_MS = 15_000

/** Tests typed credentials: requests a first access token if the scheme has one, then calls the app's identity function. */
export async function testCredentials(parts: Parts, tenant: UserKey, app: App, scheme: Scheme, typed: Credentials): Promise<Tested> {
  let credentials = typed
  if (needsNoSignIn(scheme)) {
    try {
      credentials = await requestToken(parts.oauth, scheme, null, typed)
    } catch (err) {
      if (!(err instanceof OAuthError)) throw err
      if (err.kind === 'unreachable') return { kind: 'unavailable', problem: () => err.message }
      return { kind: 'refused', problem: (t) => fill(t.checks.refusedBecause, { app: app.title, reason: err.message }) }
    }
  }
  const identified = await identify(parts, tenant, app, credentials)
  return identified.kind === 'known' ? { ...identified, credentials } : identified
}

/**
 * Calls the app's identity function, which also tests the credentials. This call is not a task: it is neither logged nor counted. Does
 * nothing when the app has no identity function.
 */
export async function identify(parts: Parts, tenant: UserKey, app: App, credentials: Credentials): Promise<Identified> {
  const fn = identityFunction(parts, app)
  if (fn === undefined) return { kind: 'known', name: undefined, id: undefined }
  const built = buildRequest(fn, credentials)
  if ('problems' in built) return unbuilt(app, built.problems)
  const memory = parts.memory.open(tenant)
  const sent = { request: built.request, memory }
  const executed = await execute(parts.onward, fn, sent, redactor(app, credentials), TIMEOUT_MS).finally(() => memory.close())
  return readIdentity(fn, executed)
}

/**
 * Calls the identity function with a connected account, as a call does: renews its tokens if necessary, and stores the status that follows.
 * Throws a Refusal when there is no usable token.
 */
export async function identifyAccount(parts: Parts & RenewalParts, account: SealedAccount, app: App): Promise<Identified> {
  const fn = identityFunction(parts, app)
  if (fn === undefined) return { kind: 'known', name: undefined, id: undefined }
  const opened = await freshCredentials(parts, account, fn, Date.now() + TIMEOUT_MS)
  const build = (credentials: Credentials) => buildRequest(fn, credentials)
  const built = build(opened.credentials)
  if ('problems' in built) return unbuilt(app, built.problems)
  const memory = parts.memory.open(account)
  const draft = { request: built.request, build, memory }
  const { executed, used } = await executeAs(parts, fn, opened, draft, TIMEOUT_MS).finally(() => memory.close())
  if (executed.kind === 'answered' && used !== null) await updateAccountStatus(parts, used, fn, executed)
  return readIdentity(fn, executed)
}

function identityFunction({ catalog }: Pick<Parts, 'catalog'>, { identity }: App): AppFunction | undefined {
  return identity === null ? undefined : catalog.current.functions.get(identity.function)?.fn
}

function buildRequest(fn: AppFunction, credentials: Credentials): BuiltRequest {
  return fn.request(fn.app.identity?.arguments ?? {}, credentials, null)
}

function unbuilt({ title }: App, problems: readonly string[]): NotIdentified {
  return { kind: 'refused', problem: (t) => fill(t.checks.cannotCall, { app: title, reason: problems.join('; ') }) }
}

function readIdentity(fn: AppFunction, executed: Executed): Identified {
  const { identity, title } = fn.app
  if (executed.kind === 'failed') {
    const { kind } = executed.failure
    return { kind: 'unavailable', problem: (t) => fill(t.checks[FAILURES[kind]], { app: title }) }
  }
  const { status, headers } = executed
  const problem = statusProblem(status, title)
  if (problem !== undefined) return problem
  const { output } = fn.readResponse(status, executed.body, null, headers)
  const name = identity === null ? undefined : compilePointer(identity.name)(output)
  const id = identity?.id === undefined ? undefined : compilePointer(identity.id)(output)
  // Some apps refuse with status 200 and an error in the body.
  if (name === undefined && id === undefined) return { kind: 'refused', problem: (t) => fill(t.checks.refused, { app: title }) }
  return { kind: 'known', name: textOf(name), id: textOf(id) }
}

function statusProblem(status: number, app: string): NotIdentified | undefined {
  if (isSuccess(status)) return undefined
  if (status === 408 || status === 429) return { kind: 'unavailable', problem: (t) => fill(t.checks.busy, { app, status }) }
  if (status >= 400 && status < 500) return { kind: 'refused', problem: (t) => fill(t.checks.refusedStatus, { app, status }) }
  return { kind: 'unavailable', problem: (t) => fill(t.checks.notWorking, { app, status }) }
}

const FAILURES = {
  blocked: 'blocked',
  unreachable: 'unreachable',
  timed_out: 'timedOut',
  broken: 'broken',
  too_large: 'tooLarge',
  no_room: 'noRoom',
} as const satisfies Record<FailureKind, keyof PageTexts['checks']>

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber ? String(value) : undefined
}
