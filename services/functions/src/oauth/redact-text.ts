import { LRUCache } from 'lru-cache'

export const REDACTED = '[redacted]'

/** A way to write a secret. Searching for `part` first is much faster than a regular expression, and most texts do not contain it. */
type Form = {
  /** A part, in lower case, of every text that contains the secret in this form. */
  readonly part: string
  /** Compiled on first use. It ignores case: some servers change the case of what they echo. */
  readonly pattern: () => RegExp
}

/**
 * Returns a function that replaces secrets in a text: as they are, in base64 or base64url at any position of the encoded bytes, in hex,
 * percent-encoded, as HTML entities or escaped like in JSON; each in upper and lower case. Encoded JSON may contain them escaped.
 */
export function textRedactor(secrets: Iterable<string>): (text: string) => string {
  // The longest first, because one secret may contain another.
  const forms = [...new Set(secrets)].sort((a, b) => b.length - a.length).flatMap(knownForms)
  return (text) => {
    if (forms.length === 0) return text
    const lower = text.toLowerCase()
    return forms.reduce((redacted, { part, pattern }) => (lower.includes(part) ? redacted.replace(pattern(), REDACTED) : redacted), text)
  }
}

/**
 * The forms of secrets that were used lately, about 4,000 secrets in 12 MB. Making them takes 0.015 ms for a secret, much longer than
 * searching a short answer.
 */
const FORMS = new LRUCache<string, readonly Form[]>({ maxSize: 500_000, sizeCalculation: (_forms, secret) => 100 + secret.length })

function knownForms(secret: string): readonly Form[] {
  const known = FORMS.get(secret)
  if (known !== undefined) return known
  // JSON that contains the secret may itself be encoded. So the escaped secret is replaced too: first, because the other one is inside.
  const inJson = JSON.stringify(secret).slice(1, -1)
  const forms = [...new Set([inJson, secret])].flatMap(formsOf)
  FORMS.set(secret, forms)
  return forms
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret)
  // Every usual spelling contains this part unchanged, or encodes each of its characters.
  const unchanged = longest(secret, /[A-Za-z0-9]+/g)
  const codes = [...unchanged.slice(0, 4)].map((character) => character.charCodeAt(0))
  const everySpelling = lazy(() => [...secret].map(spellingsOf).join(''))
  return [
    { part: unchanged, pattern: lazy(() => secret.replace(/\\+|[^A-Za-z0-9]/gsu, spellingsOf)) },
    ...[0, 1, 2].map((offset) => base64Form(bytes, offset)),
    { part: bytes.toString('hex'), pattern: lazy(() => bytes.toString('hex')) },
    ...(codes.length === 0
      ? []
      : [
          codes.map((code) => `%${code.toString(16)}`).join(''),
          codes.map((code) => `&#${code};`).join(''),
          codes.map((code) => `&#x${code.toString(16)};`).join(''),
          `u00${codes[0]?.toString(16)}`,
        ].map((part) => ({ part, pattern: everySpelling }))),
  ].map(({ part, pattern }) => ({ part: part.toLowerCase(), pattern }))
}

/** The form of a secret that follows `offset` other bytes, modulo 3, in what is encoded. The characters that depend on others are left out. */
function base64Form(bytes: Buffer, offset: number): Form {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  const last = (offset + bytes.length) % 3 === 0 ? encoded.length : encoded.length - 1
  const own = encoded.slice([0, 2, 3][offset], last)
  // The last character also depends on what follows. It is replaced too, with the padding.
  const rest = last < encoded.length ? `[\\w+/-]?(?:=|%3d|${BACKSLASHES}u003d){0,2}` : ''
  return { part: longest(own, /[A-Za-z0-9]+/g), pattern: lazy(() => own.replace(/[+/]/g, base64Spellings) + rest) }
}

function base64Spellings(character: string): string {
  return `(?:${character === '+' ? '-' : '_'}|${spellingsOf(character)})`
}

function longest(text: string, runs: RegExp): string {
  return (text.match(runs) ?? []).sort((a, b) => b.length - a.length)[0] ?? ''
}

/** Compiles a pattern on its first use: most secrets never occur. */
function lazy(source: () => string): () => RegExp {
  let pattern: RegExp | undefined
  return () => {
    pattern ??= new RegExp(source(), 'gi')
    return pattern
  }
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }
const ENTITIES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

/** Text that was escaped several times, such as JSON in JSON, has several backslashes. */
const BACKSLASHES = '\\\\{1,8}'

/**
 * Returns a regular expression for a character, or for a run of backslashes. Writers of JSON differ in which characters they escape and
 * how. So the character may be written as itself, with or without backslashes, as a JSON escape, percent-encoded, or as an HTML entity.
 */
function spellingsOf(character: string): string {
  const { length } = character
  if (/^\\+$/.test(character)) {
    return `(?:\\\\{${length},${8 * length}}|(?:${BACKSLASHES}u005c){${length}}|(?:%5c){${length}}|(?:&#92;|&#x5c;){${length}})`
  }
  const code = character.codePointAt(0) ?? 0
  const escapes = [
    `${/[A-Za-z0-9]/.test(character) ? '' : `(?:${BACKSLASHES})?`}${character.replace(/[\^$.*+?()[\]{}|/]/, '\\$&')}`,
    Array.from({ length }, (_, i) => `${BACKSLASHES}u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    `&#0{0,6}${code};`,
    `&#x0{0,6}${code.toString(16)};`,
  ]
  if (SHORT_ESCAPES[character] !== undefined) escapes.push(`${BACKSLASHES}${SHORT_ESCAPES[character]}`)
  if (ENTITIES[character] !== undefined) escapes.push(`&${ENTITIES[character]};`)
  // In forms.
  if (character === ' ') escapes.push('\\+')
  return `(?:${escapes.join('|')})`
}
