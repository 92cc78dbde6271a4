import { type Draft, type Entry, isGroup, isList } from './draft.ts'
import type { Field } from './fields.ts'

const PREFIX = 'onward-playground '

/** Parts of names whose values may be secret. */
const SECRET_NAMES = /pass|secret|token|credential|auth|api[_-]?key|private|signature|cookie|session|pin$|cvc|cvv|iban|card/i
/** A run of 16 characters with letters and digits, as keys and tokens have. */
const SECRET_TEXT = /(?=[\w+/=.-]*\d)(?=[\w+/=.-]*[A-Za-z])[\w+/=.-]{16,}/
const MAX_TEXT = 10_000

/**
 * Returns the part of a draft that may be in the browser's storage. Fields whose names speak of secrets, texts that look like keys, and
 * JSON, which can hold anything, are left out. E-mail addresses and web addresses without a query are no keys.
 */
export function withoutSecrets(fields: readonly Field[], draft: Draft): Draft {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const entry = SECRET_NAMES.test(field.name) || field.kind === 'json' ? undefined : safe(field, draft[field.name])
      return entry === undefined ? [] : [[field.name, entry]]
    }),
  )
}

function safe(field: Field, entry: Entry): Entry {
  if (entry === undefined || entry === null) return entry
  if (isList(entry)) return entry.flatMap((item) => safe(field, item) ?? [])
  if (isGroup(entry)) return withoutSecrets(field.fields, entry)
  const typed = field.kind === 'line' || field.kind === 'lines' || field.kind === 'source'
  return typed && (entry.length > MAX_TEXT || looksSecret(entry)) ? undefined : entry
}

function looksSecret(text: string): boolean {
  return text
    .split(/\s+/)
    .some((word) => SECRET_TEXT.test(word) && !/^[^@\s]+@[\w.-]+\.\w+$/.test(word) && !/^\d{4}-\d\d-\d\dT[\d:.]+Z?$/.test(word))
}

/** Names a form in the storage of this tab. `person` keeps it from somebody else who signs in later. */
export function keyOf(person: string, appKey: string, fn: string): string {
  return PREFIX + JSON.stringify([person, appKey, fn])
}

/** A kept draft; `complete` is false if something was left out of it. */
type Kept = { readonly draft: Draft; readonly complete: boolean }

/** Keeps a draft in this tab until it is closed, without what may be secret. */
export function keepDraft(key: string, fields: readonly Field[], draft: Draft): void {
  try {
    const kept = withoutSecrets(fields, draft)
    const complete = countOf(kept) === countOf(draft)
    if (countOf(draft) === 0) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ draft: kept, complete } satisfies Kept))
  } catch {
    // A browser that forbids storage, or has no room in it, loses the form on a reload.
  }
}

/** The number of texts and nulls that were entered. */
function countOf(entry: Entry): number {
  if (entry === null) return 1
  if (entry === undefined || typeof entry === 'string') return entry ? 1 : 0
  const inner: readonly Entry[] = isList(entry) ? entry : Object.values(entry)
  return inner.reduce((sum: number, one) => sum + countOf(one), 0)
}

/** Returns the kept draft; empty if there is none. */
export function keptDraft(key: string): Kept {
  try {
    const { draft, complete }: Partial<Kept> = Object(JSON.parse(sessionStorage.getItem(key) ?? '{}'))
    return { draft: Object(draft), complete: complete !== false }
  } catch {
    return { draft: {}, complete: true }
  }
}
