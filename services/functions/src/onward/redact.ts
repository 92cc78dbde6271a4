import { type App, basicToken, type Credentials, credentialFields, objectOf, schemeOf } from '@onward/catalog'
import { readJson } from './read-json.ts'

/** Replaces an account's secrets in what a third party or the caller sent. */
export type Redactor = {
  /** Redacts strings, numbers and keys of a JSON value, to any depth. */
  value(value: unknown): unknown
  /** Parses an answer as JSON and redacts it; redacts it as text when it is not JSON or exceeds the limits of `readJson`. */
  answer(text: string): unknown
  /** Returns whether bytes contain a secret. */
  isIn(bytes: Buffer): boolean
}

/** Shorter secrets are not redacted: they would also match ordinary text. */
const MIN_BYTES = 8
const REDACTED = '[redacted]'

/** Makes a redactor of the secrets of an account; of several sets of credentials after a token renewal. */
export function redactor(app: App, ...accounts: readonly Credentials[]): Redactor {
  const secrets = new Set(accounts.flatMap((credentials) => secretsOf(app, credentials)))
  // The longest first, because one secret may contain another.
  const spellings = [...secrets].sort((a, b) => b.length - a.length).map(spellingsOf)
  const pattern = spellings.length === 0 ? undefined : new RegExp(spellings.join('|'), 'g')
  const redactText = (text: string) => (pattern === undefined ? text : text.replace(pattern, REDACTED))

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
    isIn: (bytes) => pattern !== undefined && bytes.toString('utf8').search(pattern) !== -1,
  }
}

function secretsOf(app: App, credentials: Credentials): string[] {
  // A user name is often an e-mail address or an account number that answers contain; without a password it is the secret itself.
  const isPublic = (name: string) => name === 'username' && schemeOf(app, credentials)?.type === 'basic' && Boolean(credentials.password)
  const secrets = credentialFields(app)
    .filter(({ name, secret }) => secret && !isPublic(name))
    .map(({ name }) => credentials[name] ?? '')
  return [...secrets, basicToken(app, credentials) ?? ''].filter((secret) => Buffer.byteLength(secret) >= MIN_BYTES)
}

/**
 * Returns a regular expression that matches a secret in any spelling. Writers of JSON differ in which characters they escape and how, and
 * JSON may be nested in JSON as a string. So each character except letters, digits and `_.~-` may be written as itself behind up to three
 * backslashes, as a JSON escape, or percent-encoded.
 */
function spellingsOf(secret: string): string {
  return secret.replace(/\\+|[^\w~-]/gsu, (character) => {
    if (character === '.') return '\\.'
    if (character.startsWith('\\')) return backslashes(character.length)
    const itself = `\\\\{0,3}${character.replace(/[\^$*+?()[\]{}|/]/, '\\$&')}`
    const short = SHORT_ESCAPES[character]
    const unicode = Array.from({ length: character.length }, (_, i) => `\\\\{1,3}u${anyCase(hex(character.charCodeAt(i), 4))}`)
    const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(hex(byte, 2))}`)
    return `(?:${[itself, ...(short === undefined ? [] : [`\\\\{1,3}${short}`]), unicode.join(''), percent.join('')].join('|')})`
  })
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

/** A run of backslashes: JSON writes each as two, and JSON in JSON as four. */
function backslashes(count: number): string {
  return `(?:\\\\{${count},${4 * count}}|(?:\\\\{1,3}u005[cC]){${count}}|(?:%5[cC]){${count}})`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}

function anyCase(digits: string): string {
  return digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
}
