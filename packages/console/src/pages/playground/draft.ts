import { isStructured, parseJson, writeJson } from '@onward/json'
import type { Field } from './fields.ts'

/**
 * What the reader entered, by the name of the field: texts as they were typed, lists and groups as such. A choice is the text of its id, a
 * flag is `true` or `false`. Nothing, and an empty text, are not sent. Null is sent as null.
 */
export type Draft = { readonly [name: string]: Entry }
export type Entry = string | null | undefined | readonly Entry[] | Draft

type Args = Readonly<Record<string, unknown>>

/** The arguments for a call, and what is wrong by the path of the field. Arguments that are wrong are left out. */
type Read = { readonly args: Args; readonly problems: Readonly<Record<string, string>> }

export const PROBLEMS = {
  required: 'is required',
  integer: 'must be a whole number',
  number: 'must be a number',
  json: 'must be valid JSON',
} as const

/** The text with which the service replaces secrets of an account in what it stores. */
const REDACTED = '[redacted]'

/** Reads the arguments from what was entered. */
export function readDraft(fields: readonly Field[], draft: Draft): Read {
  const problems: Record<string, string> = {}
  return { args: readGroup(fields, draft, '', problems), problems }
}

function readGroup(fields: readonly Field[], draft: Draft, within: string, problems: Record<string, string>): Args {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const path = within === '' ? field.name : `${within}.${field.name}`
      const value = readField(field, draft[field.name], path, problems)
      if (value !== undefined) return [[field.name, value]]
      if (field.required && problems[path] === undefined) problems[path] = PROBLEMS.required
      return []
    }),
  )
}

function readField(field: Field, entry: Entry, path: string, problems: Record<string, string>): unknown {
  if (entry === null) return null
  if (!field.many) return readOne(field, entry, path, problems)
  const items = isList(entry) ? entry : []
  const values = items.map((item, at) => readOne(field, item, `${path}[${at}]`, problems)).filter((value) => value !== undefined)
  return values.length === 0 ? undefined : values
}

function readOne(field: Field, entry: Entry, path: string, problems: Record<string, string>): unknown {
  if (field.kind === 'group') return readInner(field, entry, path, problems)
  if (typeof entry !== 'string' || entry === '') return undefined
  switch (field.kind) {
    case 'line':
    case 'lines':
    case 'date':
    case 'moment':
      return entry
    case 'number':
    case 'source':
      return field.numeric === undefined ? entry : readNumber(field.numeric, entry, path, problems)
    case 'choice':
      return field.options.find(({ id }) => String(id) === entry)?.id
    case 'flag':
      return entry === 'true'
    case 'json':
      return readJson(entry, path, problems)
  }
}

/** A group that is not required is checked only if something was entered into it. */
function readInner(field: Field, entry: Entry, path: string, problems: Record<string, string>): unknown {
  const draft = isGroup(entry) ? entry : {}
  if (!hasEntries(draft)) return field.required ? readGroup(field.fields, draft, path, problems) : undefined
  return readGroup(field.fields, draft, path, problems)
}

/** A number keeps all digits, also digits that a JavaScript number cannot hold. */
function readNumber(kind: 'integer' | 'number', text: string, path: string, problems: Record<string, string>): unknown {
  const digits = text.trim()
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(digits) && (kind === 'number' || /^-?\d+$/.test(digits))) return parseJson(digits)
  problems[path] = PROBLEMS[kind]
  return undefined
}

function readJson(text: string, path: string, problems: Record<string, string>): unknown {
  try {
    return parseJson(text)
  } catch {
    problems[path] = PROBLEMS.json
    return undefined
  }
}

/** What arguments become in a form. */
type Filled = {
  readonly draft: Draft
  /** Paths of values that hold a removed secret: they must be entered again. */
  readonly missing: readonly string[]
  /** Names and paths for which the form has no fitting field. */
  readonly unknown: readonly string[]
}

/** Returns the entries of a form for arguments, such as an earlier call's. */
export function fillDraft(fields: readonly Field[], args: unknown): Filled {
  const missing: string[] = []
  const unknown: string[] = []
  return { draft: fillGroup(fields, args, '', missing, unknown), missing, unknown }
}

function fillGroup(fields: readonly Field[], args: unknown, within: string, missing: string[], unknown: string[]): Draft {
  return Object.fromEntries(
    Object.entries(Object(args)).flatMap(([name, value]) => {
      const path = within === '' ? name : `${within}.${name}`
      const field = fields.find((one) => one.name === name)
      if (field === undefined) {
        unknown.push(path)
        return []
      }
      const entry = fillField(field, value, path, missing, unknown)
      return entry === undefined ? [] : [[name, entry]]
    }),
  )
}

function fillField(field: Field, value: unknown, path: string, missing: string[], unknown: string[]): Entry {
  // Null means absent where it is not allowed.
  if (value === undefined || value === null) return field.nullable ? value : undefined
  if (!field.many) return fillOne(field, value, path, missing, unknown)
  if (!Array.isArray(value)) {
    noteMisfit(value, path, missing, unknown)
    return undefined
  }
  return value.map((item, at) => fillOne(field, item, `${path}[${at}]`, missing, unknown))
}

function fillOne(field: Field, value: unknown, path: string, missing: string[], unknown: string[]): Entry {
  if (typeof value === 'string' && value.includes(REDACTED)) {
    missing.push(path)
    return undefined
  }
  if (field.kind === 'group' && isStructured(value) && !Array.isArray(value)) {
    return fillGroup(field.fields, value, path, missing, unknown)
  }
  if (field.kind === 'json') {
    const text = writeJson(value, 2)
    if (text.includes(REDACTED)) missing.push(path)
    return text
  }
  const isKnown = field.kind !== 'choice' || field.options.some(({ id }) => String(id) === String(value))
  if (field.kind !== 'group' && !isStructured(value) && isKnown) return String(value)
  noteMisfit(value, path, missing, unknown)
  return undefined
}

function noteMisfit(value: unknown, path: string, missing: string[], unknown: string[]): void {
  const list = typeof value === 'string' && value.includes(REDACTED) ? missing : unknown
  list.push(path)
}

/** Whether anything was entered. */
export function hasEntries(entry: Entry): boolean {
  if (entry === null) return true
  if (entry === undefined || typeof entry === 'string') return Boolean(entry)
  return isList(entry) ? entry.length > 0 : Object.values(entry).some(hasEntries)
}

export function isList(entry: Entry): entry is readonly Entry[] {
  return Array.isArray(entry)
}

export function isGroup(entry: Entry): entry is Draft {
  return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
}
