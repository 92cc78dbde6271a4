import {
  type App,
  type AppFunction,
  type Credentials,
  type Cursor,
  credentialFields,
  type FileContent,
  type OnwardRequest,
} from '@onward/catalog'
import type { Sealer, UserKey } from '@onward/runtime'
import type { Arguments } from '../catalog/validate.ts'
import type { SealedAccount } from '../db/connected-accounts.ts'
import { REDACTED } from '../oauth/redact-text.ts'
import { openCredentials } from '../onward/credentials.ts'
import type { Files } from '../onward/load-files.ts'
import { redactor } from '../onward/redact.ts'
import type { ShownRequest } from '../policy/approvals.ts'
import { verdictOn } from '../policy/enforce.ts'
import type { Verdict } from '../policy/policy.ts'
import { refuseSuspended } from '../policy/suspensions.ts'
import { openCursor } from './cursor.ts'
import { refuseMisspelt } from './keep-fields.ts'
import type { CallInput, CallParts } from './parts.ts'
import { resolve, resolveArguments, unbuildable } from './resolve.ts'

type PreviewInput = Pick<CallInput, 'name' | 'args' | 'form' | 'variables' | 'cursor' | 'fields' | 'accountId' | 'via'>

type Preview = ShownRequest & {
  readonly hasFiles: boolean
  readonly accountId: number | null
  /** What the rules of the application say about the call. */
  readonly policy: Verdict
}

/** Builds the request that a call would send, and sends nothing. Throws a Refusal as `call` does. */
export async function preview(
  ctx: Pick<CallParts, 'sealer' | 'accounts' | 'applications' | 'catalog'>,
  caller: UserKey,
  input: PreviewInput,
): Promise<Preview> {
  const { callable, account } = await resolve(ctx, ctx.catalog.current.functions, caller, input.name, input.accountId)
  const { fn } = callable
  await refuseSuspended(ctx.applications, caller, fn)
  const ruled = { via: input.via, rules: [] }
  const args = await resolveArguments(ctx, caller, callable, { ...input, ...ruled })
  if (fn.output !== null && input.fields !== null) refuseMisspelt(fn.output, input.fields)
  const accountId = account?.id ?? null
  return {
    ...shownRequest(ctx.sealer, fn, account, args, openCursor(ctx.sealer, { caller, fn, accountId, args }, input.cursor)),
    hasFiles: fn.files.some((name) => args[name] !== undefined),
    accountId,
    policy: await verdictOn(ctx, caller, { fn, args, ...ruled }),
  }
}

/**
 * Returns the request that a call would send. The secrets of the account are replaced before the request is built, so that the request cannot
 * contain them, also not in a form that a search for secrets would miss. Throws a Refusal if the request cannot be built.
 */
export function shownRequest(
  sealer: Sealer,
  fn: AppFunction,
  account: SealedAccount | null,
  args: Arguments,
  cursor: Cursor | null,
): ShownRequest {
  const names = fn.files.filter((name) => args[name] !== undefined)
  const files = Object.fromEntries(names.map((name) => [name, placeholderOf(name, args[name])]))
  const credentials = account === null ? {} : withoutSecrets(fn.app, openCredentials(sealer, account, fn.app))
  const built = fn.request(args, credentials, cursor, files)
  if ('problems' in built) throw unbuildable(fn, account, built.problems)
  return shown(built.request, fn.app, credentials)
}

function placeholderOf(name: string, argument: unknown): Files[string] {
  return Array.isArray(argument) ? argument.map((item, index) => placeholder(`${name}[${index}]`, item)) : placeholder(name, argument)
}

function placeholder(name: string, argument: unknown): FileContent {
  const { name: fileName = name, content_type: contentType = 'application/octet-stream' } = Object(argument)
  return { name: fileName, contentType, bytes: Buffer.from(describeFile(argument)) }
}

/** Returns what is shown in place of the content of a file: where it comes from, or its size. */
function describeFile(argument: unknown): string {
  const { url, base64 }: { readonly url?: unknown; readonly base64?: unknown } = Object(argument)
  if (typeof url === 'string' && !/^data:/i.test(url)) return `<file from ${url}>`
  const encoded = String(base64 ?? url ?? argument).replace(/^data:[^,]*,/i, '')
  return `<file of ${Buffer.byteLength(encoded, 'base64')} bytes>`
}

/** Returns the credentials with their settings, and with REDACTED in place of every other value. */
function withoutSecrets(app: App, credentials: Credentials): Credentials {
  const settings = new Set(credentialFields(app).flatMap(({ name, secret }) => (secret ? [] : [name])))
  return Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, settings.has(name) ? value : REDACTED]))
}

/** The redactor makes the replaced secrets readable where they are encoded, as in a header with `Basic`. */
function shown({ method, url, headers, body }: OnwardRequest, app: App, credentials: Credentials): ShownRequest {
  const redact = redactor(app, credentials)
  const text = (value: string) => String(redact.value(value))
  return {
    method,
    url: text(url),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value: text(value) })),
    body: body === undefined ? null : text(typeof body === 'string' ? body : Buffer.from(body).toString('utf8')),
  }
}
