import type { AppFunction } from '@onward/catalog'
import type { ApprovalBackground } from '@onward/contract'
import { isStructured, writeJson } from '@onward/json'
import { inTime, isSuccess, Refusal } from '@onward/runtime'
import { resolve, resolveArguments } from '../call/resolve.ts'
import { readerOf } from '../catalog/reader-of.ts'
import type { Arguments } from '../catalog/validate.ts'
import type { Approval } from '../db/approvals.ts'
import { callInternally } from '../onward/internal-call.ts'
import { openSealed } from '../policy/approvals.ts'
import { verdictOn } from '../policy/enforce.ts'
import type { BackgroundParts } from './parts.ts'

type PresentObject = NonNullable<ApprovalBackground['now']>

/** The time for calling the user's app. A page waits for it. */
const DEADLINE_MS = 2_000
/** Additional time to log the call. */
const GRACE_MS = 500
const MAX_FIELDS = 20
/** How many fields of a large object are looked at. */
const MAX_FOUND = 1_000
const MAX_DEPTH = 4
/** In characters. */
const MAX_VALUE = 300

/**
 * Reads what a call that waits for an approval would change or delete, with the function that reads it and the account of the call, and only if the
 * rules of the application allow that. The call is logged as internal and counts no task. Returns null if no function reads it. Never throws.
 */
export async function presentObject(parts: BackgroundParts, approval: Approval): Promise<PresentObject | null> {
  const fn = parts.catalog.current.functions.get(approval.functionName)?.fn
  const reader = fn && readerOf(fn)
  if (reader === undefined) return null
  const { request, args: stored } = openSealed(parts.sealer, approval)
  const { required } = reader.parameters
  if (required.some((name) => stored[name] === undefined)) return null
  const args = Object.fromEntries(required.map((name) => [name, stored[name]]))
  const result = await inTime(DEADLINE_MS + GRACE_MS, read(parts, approval, reader, args)).catch((err: unknown) => {
    if (err instanceof Refusal) return { problem: err.message }
    parts.log.info({ err, function: reader.name }, 'what a call would change could not be read')
    return { problem: `${reader.app.title} did not answer in time` }
  })
  const about = { function_name: reader.name, function_title: reader.title }
  if ('problem' in result) return { ...about, fields: [], more: 0, problem: result.problem }
  const found = namedFirst(fieldsOf(result.output), `${request.url} ${request.body}`)
  const fields = found.slice(0, MAX_FIELDS)
  return { ...about, fields, more: found.length - fields.length, problem: null }
}

/** Returns the output of the function that reads, or why there is none. Throws a Refusal if it cannot be called as any caller could call it. */
async function read(
  parts: BackgroundParts,
  { appKey, userId, account, via }: Approval,
  { name }: AppFunction,
  sent: Arguments,
): Promise<{ readonly output: unknown } | { readonly problem: string }> {
  const caller = { appKey, userId }
  // A blocked user's app is not called.
  if (parts.blocking.blockedMs(caller) > 0) return { problem: 'the user has reached the task limit' }
  const found = await resolve(parts, parts.catalog.current.functions, caller, name, account ? String(account.id) : undefined)
  const { fn } = found.callable
  const ruled = { via, rules: [] }
  const args = await resolveArguments(parts, caller, found.callable, { args: sent, variables: null, form: false, ...ruled })
  const { result } = await verdictOn(parts, caller, { fn, args, ...ruled })
  if (result !== 'allow') return { problem: `the rules of the application do not allow ${fn.name}` }
  const call = { fn, args, account: found.account, deadline: Date.now() + DEADLINE_MS }
  const page = await callInternally(parts, caller, call, (readPage) => readPage(null))
  if (page === undefined) return { problem: `${fn.app.title} did not answer in time` }
  return isSuccess(page.status) ? { output: page.output } : { problem: `${fn.app.title} answered ${page.status}` }
}

type Field = PresentObject['fields'][number]

/** Returns the single values of an object with their paths. Values that are empty are left out. */
function fieldsOf(output: unknown): Field[] {
  const fields: Field[] = []
  function add(path: readonly string[], value: unknown): void {
    if (value === null || value === undefined || value === '' || fields.length >= MAX_FOUND) return
    if (isStructured(value) && !Array.isArray(value) && path.length < MAX_DEPTH) {
      for (const [key, inner] of Object.entries(value)) add([...path, key], inner)
      return
    }
    const text = typeof value === 'string' ? value : isStructured(value) ? writeJson(value) : String(value)
    if (text === '[]' || text === '{}') return
    fields.push({ name: path.join('.'), value: text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text })
  }
  add([], unwrapped(output))
  return fields
}

/** Returns the object in an object that has nothing else, such as `{"contact": {…}}`. */
function unwrapped(output: unknown): unknown {
  const values = isStructured(output) && !Array.isArray(output) ? Object.values(output) : []
  return values.length === 1 && isStructured(values[0]) ? values[0] : output
}

/** Puts the fields first whose names are in the text of the request: these are what the call changes. */
function namedFirst(fields: readonly Field[], request: string): Field[] {
  const words = new Set(request.match(/[\w-]+/g))
  const isNamed = ({ name }: Field) => words.has(name.slice(name.lastIndexOf('.') + 1))
  return [...fields.filter(isNamed), ...fields.filter((field) => !isNamed(field))]
}
