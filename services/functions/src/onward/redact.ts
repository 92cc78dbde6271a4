import { type App, basicToken, type Credentials, credentialFields, objectOf, schemeOf } from '@onward/catalog'
import { readJson } from './read-json.ts'

/** Replaces an account's secrets in what a third party or the caller sent. */
export type Redactor = {
  /** Redacts strings, numbers and keys of a JSON value, to any depth. */
  value(value: unknown): unknown
  /** Parses an answer as JSON and redacts it; redacts it as text when it is not JSON or exceeds the limits of `readJson`. */
  answer(text: string): unknown
  /** Returns whether bytes contain a secret. */
  findsIn(bytes: Buffer): boolean
}

/** Shorter secrets are not redacted: they would also match ordinary text. */
const MIN_BYTES = 8
const REDACTED = '[redacted]'

/** Returns a redactor for the secrets of an account. After a token renewal, pass both the old and the new credentials. */
export function redactor(app: App, ...accounts: readonly Credentials[]): Redactor {
  const secrets = new Set(accounts.flatMap((credentials) => secretsOf(app, credentials)))
  // The longest first, because one secret may contain another.
  const replacements = [...secrets].sort((a, b) => b.length - a.length).map(replacementOf)
  const redactText = (text: string) => replacements.reduce((redacted, replace) => replace(redacted), text)

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (typeof value === 'number') return secrets.has(String(value)) ? REDACTED : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(redact)
    return objectOf(Object.entries(value).map(([key, item]) => [redactText(key), redact(item)]))
  }

  function redactValue(value: unknown): unknown {
    // Most values contain no secret and are returned without a copy.
    const json = JSON.stringify(value)
    return redactText(json) === json ? value : redact(value)
  }

  return {
    value: redactValue,
    answer(text) {
      const value = readJson(text)
      return value === undefined ? redactText(text) : redactValue(value)
    },
    findsIn(bytes) {
      const text = bytes.toString('utf8')
      return redactText(text) !== text
    },
  }
}

function secretsOf(app: App, credentials: Credentials): string[] {
  // A user name is often an e-mail address or account number, which answers contain. Without a password, it is the secret itself.
  const isPublic = (name: string) => name === 'username' && schemeOf(app, credentials)?.type === 'basic' && Boolean(credentials.password)
  const secrets = credentialFields(app)
    .filter(({ name, secret }) => secret && !isPublic(name))
    .map(({ name }) => credentials[name] ?? '')
  return [...secrets, basicToken(app, credentials) ?? ''].filter((secret) => Buffer.byteLength(secret) >= MIN_BYTES)
}

/** Returns a function that redacts one secret in a text, also where the secret is escaped or percent-encoded. */
function replacementOf(secret: string): (text: string) => string {
  // Every spelling contains this part unchanged. Searching for it first is much faster, because most texts do not contain it.
  const [unchanged = ''] = (secret.match(/[\w~-]+/g) ?? []).sort((a, b) => b.length - a.length)
  let pattern: RegExp | undefined
  return (text) => {
    if (!text.includes(unchanged)) return text
    pattern ??= new RegExp(secret.replace(/\\+|[^\w~-]/gsu, spellingsOf), 'g')
    return text.replace(pattern, REDACTED)
  }
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/**
 * Returns a regular expression for a character, or for a run of backslashes. Writers of JSON differ in which characters they escape and
 * how. So the character may be written as itself, with or without a backslash, as a JSON escape, or percent-encoded.
 */
function spellingsOf(character: string): string {
  const { length } = character
  if (character.startsWith('\\')) return `(?:\\\\{${2 * length}}|\\\\{${length}}|(?:\\\\u005[cC]){${length}}|(?:%5[cC]){${length}})`
  const itself = `\\\\?${character.replace(/[\^$.*+?()[\]{}|/]/, '\\$&')}`
  const short = SHORT_ESCAPES[character]
  const unicode = Array.from({ length }, (_, i) => `\\\\u${hex(character.charCodeAt(i), 4)}`).join('')
  const percent = [...Buffer.from(character)].map((byte) => `%${hex(byte, 2)}`).join('')
  return `(?:${[itself, ...(short === undefined ? [] : [`\\\\${short}`]), unicode, percent].join('|')})`
}

/** Returns a number as hexadecimal digits that match in upper and lower case. */
function hex(value: number, digits: number): string {
  const text = value.toString(16).padStart(digits, '0')
  return text.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
