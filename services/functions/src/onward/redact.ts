import { type App, basicToken, type Credentials, credentialFields, objectOf, schemeOf } from '@onward/catalog'
import { ExactNumber, isStructured, parseJson, writeJson } from '@onward/json'
import { REDACTED, textRedactor } from '../oauth/redact-text.ts'

/** Replaces an account's secrets in what a third party or the caller sent. */
export type Redactor = {
  /** Redacts strings, numbers and keys of a JSON value, to any depth. */
  value(value: unknown): unknown
  /** Redacts JSON text. `exact` says whether JavaScript numbers write all its numbers with the same digits. */
  json(text: string, exact: boolean): string
  text(text: string): string
  /** Returns whether bytes contain a secret. */
  findsIn(bytes: Buffer): boolean
}

/** Shorter secrets are not redacted: they would also match ordinary text. */
const MIN_BYTES = 8

/** Returns a redactor for the secrets of an account. After a token renewal, pass both the old and the new credentials. */
export function redactor(app: App, ...accounts: readonly Credentials[]): Redactor {
  const secrets = new Set(accounts.flatMap((credentials) => secretsOf(app, credentials)))
  const redactText = textRedactor(secrets)
  const areAscii = [...secrets].every((secret) => Buffer.byteLength(secret) === secret.length)
  /** Whether a secret may be a number, which JSON can write in many ways. */
  const mayBeNumbers = [...secrets].some((secret) => Number.isFinite(Number(secret)))

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return redactText(value)
    if (typeof value === 'number' || value instanceof ExactNumber) return secrets.has(String(value)) ? REDACTED : value
    if (!isStructured(value)) return value
    if (Array.isArray(value)) return value.map(redact)
    return objectOf(Object.entries(value).map(([key, item]) => [redactText(key), redact(item)]))
  }

  function redactValue(value: unknown): unknown {
    if (secrets.size === 0) return value
    // Most values contain no secret and are returned without a copy.
    const json = writeJson(value)
    return redactText(json) === json ? value : redact(value)
  }

  return {
    value: redactValue,
    json(text, exact) {
      if (secrets.size === 0) return text
      // In a text without escapes, a secret has no other spelling; most texts contain none and are returned as they are.
      const plain = text.includes('\\') ? text.replace(ESCAPE, unescaped) : text
      if (!mayBeNumbers && redactText(plain) === plain) return text
      return writeJson(redact(exact ? JSON.parse(text) : parseJson(text)))
    },
    text: redactText,
    findsIn(bytes) {
      if (secrets.size === 0) return false
      // Latin-1 is decoded much faster, and writes ASCII with the same bytes.
      const text = bytes.toString(areAscii ? 'latin1' : 'utf8')
      return redactText(text) !== text
    },
  }
}

/** An escape in a JSON string. */
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|.)/g

function unescaped(escaped: string, code: string | undefined): string {
  return code === undefined ? JSON.parse(`"${escaped}"`) : String.fromCharCode(Number.parseInt(code, 16))
}

function secretsOf(app: App, credentials: Credentials): string[] {
  // A user name is often an e-mail address or account number, which responses contain. Without a password, it is the secret itself.
  const isPublic = (name: string) => name === 'username' && schemeOf(app, credentials)?.type === 'basic' && Boolean(credentials.password)
  const secrets = credentialFields(app)
    .filter(({ name, secret }) => secret && !isPublic(name))
    .map(({ name }) => credentials[name] ?? '')
  return [...secrets, basicToken(app, credentials) ?? ''].filter((secret) => Buffer.byteLength(secret) >= MIN_BYTES)
}
