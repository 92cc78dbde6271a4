import { type App, basicToken, type Credentials, credentialFields, objectOf, schemeOf } from '@onward/catalog'
import { readJson } from './read-json.ts'

/** Replaces an account's exact secrets in what came from a third party or from the caller. */
export type Redactor = {
  /** Of a value that was read from JSON within bounds: at any place, keys too. */
  value(value: unknown): unknown
  /** An answer as JSON where it is JSON, else as text. JSON that is too much to be read stays the text it came as. */
  answer(text: string): unknown
  /** Whether bytes hold a secret. */
  isIn(bytes: Buffer): boolean
}

/** Shorter secrets would redact innocent text. */
const MIN_BYTES = 8
const REDACTED = '[redacted]'
/** Signs that a writer of JSON may write as \u00XX: PHP; Go and Rails; Flask and PHP; .NET; Gson; all but quotes. */
const ESCAPED = ['<>', '&<>', "&<>'", '&<>\'+"`', "&<>'=", "&<>'+="]

/** Of an account, or of one before and after its token was renewed. */
export function redactor(app: App, ...accounts: readonly Credentials[]): Redactor {
  const found = new Set(accounts.flatMap((credentials) => formsOf(app, credentials)))
  // The longest first: one may be a part of another.
  const forms = [...found].sort((a, b) => b.length - a.length)
  const text = (raw: string) => forms.reduce((redacted, form) => redacted.replaceAll(form, REDACTED), raw)

  function redact(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return forms.includes(String(value)) ? REDACTED : value
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(redact)
    return objectOf(Object.entries(value).map(([key, item]) => [text(key), redact(item)]))
  }

  function redactValue(value: unknown): unknown {
    // Written anew, the value shows its secrets in one way of escaping only; most values show none.
    const written = JSON.stringify(value)
    return text(written) === written ? value : redact(value)
  }

  return {
    value: redactValue,
    answer(raw) {
      const value = readJson(raw)
      return value === undefined ? text(raw) : redactValue(value)
    },
    isIn: (bytes) => forms.some((form) => bytes.includes(form)),
  }
}

/** Each form in which a secret may be echoed. */
function formsOf(app: App, credentials: Credentials): string[] {
  // A user name is often an e-mail address or an account number that honest answers hold; without a password it is the secret itself.
  const known = schemeOf(app, credentials)?.type === 'basic' && credentials.password ? ['username'] : []
  const secrets = credentialFields(app)
    .filter(({ name, secret }) => secret && !known.includes(name))
    .map(({ name }) => credentials[name] ?? '')
  return [...secrets, basicToken(app, credentials) ?? '']
    .filter((secret) => Buffer.byteLength(secret) >= MIN_BYTES)
    .flatMap((secret) => {
      const quoted = ['', ...ESCAPED].flatMap((signs) => quotedForms(secret, signs))
      // PHP writes a slash in JSON as \/.
      return [secret, ...quoted, ...quoted.map((form) => form.replaceAll('/', '\\/')), encodeURIComponent(secret)]
    })
}

/** A text as it stands in JSON, some signs as \u00XX: in lower hex, and in upper hex. */
function quotedForms(text: string, signs: string): string[] {
  const inJson = (raw: string) => JSON.stringify(raw).slice(1, -1)
  const hexOf = (sign: string) => sign.charCodeAt(0).toString(16)
  const write = (hex: (sign: string) => string) =>
    [...signs].reduce((written, sign) => written.replaceAll(inJson(sign), `\\u00${hex(sign)}`), inJson(text))
  return [write(hexOf), write((sign) => hexOf(sign).toUpperCase())]
}
