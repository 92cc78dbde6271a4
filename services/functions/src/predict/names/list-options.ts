import { type AppFunction, type Credentials, type Cursor, compilePointer, type Source } from '@onward/catalog'
import type { CallOutcome } from '@onward/contract'
import { ExactNumber } from '@onward/json'
import { type Share, type Shares, uuidv7 } from '@onward/runtime'
import type { Caller } from '../../auth.ts'
import { insertInternalCall } from '../../db/calls.ts'
import type { SealedAccount } from '../../db/connected-accounts.ts'
import { hasAppError, updateAccountStatus } from '../../onward/account-status.ts'
import type { OpenAccount } from '../../onward/credentials.ts'
import { executeAs, type Onward } from '../../onward/execute.ts'
import { freshCredentials } from '../../onward/fresh-credentials.ts'
import type { RenewalParts } from '../../onward/renew-token.ts'
import type { Listed, Option } from './options.ts'
import { foldedWords } from './prompt-words.ts'

/** A call of a source function. `deadline` is in milliseconds since the epoch. */
type SourceCall = {
  readonly fn: AppFunction
  readonly args: Readonly<Record<string, unknown>>
  readonly account: SealedAccount | null
  readonly deadline: number
}

/** The parts that calling a source function needs. */
export type SourceParts = RenewalParts & { readonly onward: Onward; readonly memory: Shares }

const MAX_PAGES = 5
const MAX_OPTIONS = 1_000
/** In characters. Longer texts are neither names nor ids. */
const MAX_LABEL = 200
const MAX_VALUE = 500

/**
 * Calls a source function and returns the options of its first pages, as far as they arrive in time. The call is logged as internal and
 * does not count as a task. Never rejects: returns undefined when the app cannot be called or does not answer with a list.
 */
export async function listOptions(parts: SourceParts, caller: Caller, source: Source, called: SourceCall): Promise<Listed> {
  const startedAt = new Date()
  const lastRequest: LastRequest = { outcome: undefined, networkCode: null }
  const memory = parts.memory.open(caller)
  const listed = await readPages(parts, source, { ...called, memory }, lastRequest)
    .catch((err: unknown) => {
      parts.log.info({ err, function: source.function }, 'a source function could not be called')
      return undefined
    })
    .finally(() => memory.close())
  const { outcome, networkCode } = lastRequest
  if (outcome !== undefined) {
    const { fn, account } = called
    const about = { functionName: fn.name, functionVersion: fn.version, app: fn.app.name, accountId: account?.id ?? null }
    const call = { callId: uuidv7(), ...caller, ...about, outcome, networkCode, startedAt, durationMs: Date.now() - startedAt.getTime() }
    await insertInternalCall(parts.db, call).catch((err: unknown) => parts.log.warn({ err }, 'an internal call could not be logged'))
  }
  return listed
}

/** The result of the last onward request; `outcome` is undefined before the first. */
type LastRequest = { outcome: CallOutcome | undefined; networkCode: number | null }

async function readPages(
  parts: SourceParts,
  source: Source,
  { fn, args, account, deadline, memory }: SourceCall & { readonly memory: Share },
  lastRequest: LastRequest,
): Promise<Listed> {
  let opened = account === null ? null : await freshCredentials(parts, account, fn, deadline)
  const options: Option[] = []
  let cursor: Cursor | null = null
  for (let page = 0; page < MAX_PAGES && options.length < MAX_OPTIONS; page++) {
    const response: ListResponse | undefined =
      Date.now() < deadline ? await readPage(parts, { fn, args, opened, cursor, deadline, memory }, lastRequest) : undefined
    if (response === undefined) return page === 0 ? undefined : { options, complete: false }
    opened = response.opened
    for (const option of optionsIn(response.output, source, MAX_OPTIONS - options.length)) options.push(option)
    if (response.cursor === null) return { options, complete: !response.isCutOff }
    cursor = response.cursor
  }
  return { options, complete: true }
}

type Page = Pick<SourceCall, 'fn' | 'args' | 'deadline'> & {
  readonly opened: OpenAccount | null
  readonly cursor: Cursor | null
  readonly memory: Share
}
/** `isCutOff` says whether a next page cannot be requested. */
type ListResponse = {
  readonly output: readonly unknown[]
  readonly cursor: Cursor | null
  readonly isCutOff: boolean
  readonly opened: OpenAccount | null
}

async function readPage(
  parts: SourceParts,
  { fn, args, opened, cursor, deadline, memory }: Page,
  lastRequest: LastRequest,
): Promise<ListResponse | undefined> {
  const build = (credentials: Credentials) => fn.request(args, credentials, cursor)
  const built = build(opened?.credentials ?? {})
  if ('problems' in built) return undefined
  const draft = { request: built.request, build, memory }
  const { executed, used } = await executeAs(parts, fn, opened, draft, Math.max(1, deadline - Date.now()))
  if (executed.kind === 'failed') {
    Object.assign(lastRequest, { outcome: executed.failure.sent ? 'no_answer' : 'unreachable', networkCode: null })
    return undefined
  }
  const { status, body, headers } = executed
  Object.assign(lastRequest, { outcome: hasAppError(fn, executed) ? 'app_error' : 'answered', networkCode: status })
  if (used !== null) await updateAccountStatus(parts, used, fn, executed)
  if (status < 200 || status > 299) return undefined
  const { output, cursor: next, nextPageProblem } = fn.readResponse(status, body, cursor, headers, used?.credentials, built.request.url)
  return Array.isArray(output) ? { output, cursor: next ?? null, isCutOff: nextPageProblem !== undefined, opened: used } : undefined
}

function isSingle(value: unknown): value is string | number | ExactNumber {
  return typeof value === 'string' || typeof value === 'number' || value instanceof ExactNumber
}

/** Returns the first `most` options among the items. An app without paging may return any number. */
function optionsIn(items: readonly unknown[], source: Source, most: number): Option[] {
  const [readValue, readLabel] = [compilePointer(source.value), compilePointer(source.label)]
  const options: Option[] = []
  for (const item of items) {
    if (options.length === most) break
    const [value, label] = [readValue(item), readLabel(item)]
    if (!isSingle(value) || !isSingle(label)) continue
    const text = String(label)
    if (text.length > MAX_LABEL || String(value).length > MAX_VALUE) continue
    options.push({ value, label: text, words: foldedWords(text).map((word) => word.text) })
  }
  return options
}
