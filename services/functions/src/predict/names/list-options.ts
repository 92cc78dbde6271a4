import { type AppFunction, type Credentials, type Cursor, compilePointer, type Source } from '@onward/catalog'
import type { CallOutcome } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import type { Caller } from '../../auth.ts'
import type { Context } from '../../context.ts'
import { insertInternalCall } from '../../db/calls.ts'
import type { SealedAccount } from '../../db/connected-accounts.ts'
import { updateAccountStatus } from '../../onward/account-status.ts'
import type { OpenAccount } from '../../onward/credentials.ts'
import { executeAs } from '../../onward/execute.ts'
import { freshCredentials } from '../../onward/fresh-credentials.ts'
import type { Option } from './option.ts'
import type { Listed } from './options.ts'
import { wordsIn } from './words-in.ts'

/** As whom a source function is called, with which valid arguments, and until when (ms since the epoch). */
export type Asked = {
  readonly fn: AppFunction
  readonly args: Readonly<Record<string, unknown>>
  readonly account: SealedAccount | null
  readonly deadline: number
}

const MAX_PAGES = 5
const MAX_OPTIONS = 1_000
/** In characters: what is longer is no name, and no id. */
const MAX_LABEL = 200
const MAX_VALUE = 500

/**
 * What a source function offers, on its first pages or on those that came in time. It is no task of the user's: it is logged as
 * internal, and not counted. Never rejects: undefined when the app could not be asked or did not answer with a list.
 */
export async function listOptions(ctx: Context, caller: Caller, source: Source, asked: Asked): Promise<Listed> {
  const startedAt = new Date()
  const made: Made = { outcome: undefined, networkCode: null }
  const listed = await readPages(ctx, source, asked, made).catch((err: unknown) => {
    ctx.log.info({ err, function: source.function }, 'a source function could not be asked for names')
    return undefined
  })
  const { outcome, networkCode } = made
  if (outcome !== undefined) {
    const { fn, account } = asked
    const about = { functionName: fn.name, functionVersion: fn.version, app: fn.app.name, accountId: account?.id ?? null }
    const call = { callId: uuidv7(), ...caller, ...about, outcome, networkCode, startedAt, durationMs: Date.now() - startedAt.getTime() }
    await insertInternalCall(ctx.db, call).catch((err: unknown) => ctx.log.warn({ err }, 'an internal call could not be logged'))
  }
  return listed
}

/** How the last onward request ended; no outcome while none was made. */
type Made = { outcome: CallOutcome | undefined; networkCode: number | null }

async function readPages(ctx: Context, source: Source, { fn, args, account, deadline }: Asked, made: Made): Promise<Listed> {
  let open = account === null ? null : await freshCredentials(ctx, account, fn.app, deadline)
  const options: Option[] = []
  let cursor: Cursor | null = null
  for (let page = 0; page < MAX_PAGES && options.length < MAX_OPTIONS; page++) {
    const answer: Answer | undefined = Date.now() < deadline ? await readPage(ctx, { fn, args, open, cursor, deadline }, made) : undefined
    if (answer === undefined) return page === 0 ? undefined : { options, whole: false }
    open = answer.open
    for (const option of optionsIn(answer.output, source, MAX_OPTIONS - options.length)) options.push(option)
    if (answer.cursor === null) break
    cursor = answer.cursor
  }
  return { options, whole: true }
}

type Page = Pick<Asked, 'fn' | 'args' | 'deadline'> & { readonly open: OpenAccount | null; readonly cursor: Cursor | null }
type Answer = { readonly output: readonly unknown[]; readonly cursor: Cursor | null; readonly open: OpenAccount | null }

async function readPage(ctx: Context, { fn, args, open, cursor, deadline }: Page, made: Made): Promise<Answer | undefined> {
  const build = (credentials: Credentials) => fn.request(args, credentials, cursor)
  const built = build(open?.credentials ?? {})
  if ('problems' in built) return undefined
  const { executed, open: used } = await executeAs(ctx, fn, open, { request: built.request, build }, Math.max(1, deadline - Date.now()))
  if (executed.kind === 'failed') {
    Object.assign(made, { outcome: executed.failure.sent ? 'no_answer' : 'unreachable', networkCode: null })
    return undefined
  }
  const { status, body, headers } = executed
  Object.assign(made, { outcome: 'answered', networkCode: status })
  if (used !== null) await updateAccountStatus(ctx, used, fn.app, status, body)
  if (status < 200 || status > 299) return undefined
  const { output, cursor: next } = fn.answer(status, body, cursor, headers, used?.credentials)
  return Array.isArray(output) ? { output, cursor: next ?? null, open: used } : undefined
}

/** The first options among some items, `most` of them: an app without pages answers with all that it has. */
function optionsIn(items: readonly unknown[], source: Source, most: number): Option[] {
  const [readValue, readLabel] = [compilePointer(source.value), compilePointer(source.label)]
  const options: Option[] = []
  for (const item of items) {
    if (options.length === most) break
    const [value, label] = [readValue(item), readLabel(item)]
    if ((typeof value !== 'string' && typeof value !== 'number') || (typeof label !== 'string' && typeof label !== 'number')) continue
    const text = String(label)
    if (text.length > MAX_LABEL || String(value).length > MAX_VALUE) continue
    options.push({ value, label: text, words: wordsIn(text).map((word) => word.text) })
  }
  return options
}
