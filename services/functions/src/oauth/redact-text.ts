import { LRUCache } from 'lru-cache'

export const REDACTED = '[redacted]'

/** A way to write a secret. Searching for `part` first is much faster than a regular expression, and most texts do not contain it. */
type Form = {
  /** A part, in lower case, of every text that contains the secret in this form. */
  readonly part: string
  /** Ignores case: some servers change the case of what they echo. */
  readonly redact: (text: string) => string
}

/** Shorter parts of a secret are not replaced: they may be a prefix that all tokens of an app have in common, or ordinary text. */
const MIN_PART = 12

/**
 * Returns a function that replaces secrets in a text, in upper and lower case. It finds a secret as it is, in hex, percent-encoded, as HTML
 * entities and escaped as in JSON. It also finds it in base64 and base64url, at any position of the encoded bytes. Encoded JSON may contain
 * it escaped. A part of a secret is replaced if it has three quarters of the characters, at least MIN_PART, and no quotation mark or
 * backslash.
 */
export function textRedactor(secrets: Iterable<string>): (text: string) => string {
  // The longest first, because one secret may contain another.
  const known = [...new Set(secrets)].sort((a, b) => b.length - a.length).map(knownForms)
  const forms = [...known.flatMap(({ whole }) => whole), ...known.flatMap(({ parts }) => parts)]
  return (text) => {
    if (forms.length === 0) return text
    const lower = text.toLowerCase()
    return forms.reduce((redacted, { part, redact }) => (lower.includes(part) ? redact(redacted) : redacted), text)
  }
}

/**
 * The forms of secrets that were used lately, about 4,000 secrets in 12 MB. Making them takes much longer than searching a
 * short response.
 */
const FORMS = new LRUCache<string, Forms>({ maxSize: 500_000, sizeCalculation: (_forms, secret) => 100 + secret.length })

type Forms = { readonly whole: readonly Form[]; readonly parts: readonly Form[] }

function knownForms(secret: string): Forms {
  const known = FORMS.get(secret)
  if (known !== undefined) return known
  // JSON that contains the secret may itself be encoded. So the escaped secret is replaced too: first, because the other one is inside.
  const inJson = JSON.stringify(secret).slice(1, -1)
  const forms = { whole: [...new Set([inJson, secret])].flatMap(formsOf), parts: partForms(secret) }
  FORMS.set(secret, forms)
  return forms
}

function formsOf(secret: string): Form[] {
  const bytes = Buffer.from(secret)
  // Every usual spelling contains this part unchanged, or encodes each of its characters.
  const unchanged = longest(secret, /[A-Za-z0-9]+/g)
  const codes = [...unchanged.slice(0, 4)].map((character) => character.charCodeAt(0))
  const everySpelling = () => [...secret].map(spellingsOf).join('')
  return [
    formOf(unchanged, () => secret.replace(/\\+|[^A-Za-z0-9]/gsu, spellingsOf)),
    ...[0, 1, 2].map((offset) => base64Form(bytes, offset)),
    formOf(bytes.toString('hex'), () => bytes.toString('hex')),
    ...(codes.length === 0
      ? []
      : [
          codes.map((code) => `%${code.toString(16)}`).join(''),
          codes.map((code) => `&#${code};`).join(''),
          codes.map((code) => `&#x${code.toString(16)};`).join(''),
          `u00${codes[0]?.toString(16)}`,
        ].map((part) => formOf(part, everySpelling))),
  ]
}

/** The pattern is compiled on its first use: most secrets never occur. */
function formOf(part: string, source: () => string): Form {
  let pattern: RegExp | undefined
  return {
    part: part.toLowerCase(),
    redact(text) {
      pattern ??= new RegExp(source(), 'gi')
      return text.replace(pattern, REDACTED)
    },
  }
}

/**
 * A server that cuts or misquotes a secret echoes a part of it. The secret is divided into blocks of half the least length, so each part that
 * is long enough contains a whole block.
 */
function partForms(secret: string): Form[] {
  const least = Math.max(MIN_PART, Math.ceil((3 * secret.length) / 4))
  const size = Math.floor((least + 1) / 2)
  const starts = Array.from({ length: Math.floor(secret.length / size) }, (_, at) => at * size)
  return starts
    .filter((start) => !/["\\]/.test(secret.slice(start, start + size)))
    .map((start) => ({
      part: secret.slice(start, start + size).toLowerCase(),
      redact: (text) => replaceParts(text, secret, start, size, least),
    }))
}

/** Replaces the parts of a secret with at least `least` characters that contain its block at `start`. */
function replaceParts(text: string, secret: string, start: number, size: number, least: number): string {
  const block = new RegExp(secret.slice(start, start + size).replace(SYNTAX, '\\$&'), 'gi')
  let done = 0
  let redacted = ''
  for (const { index } of text.matchAll(block)) {
    let before = 0
    while (index - before > done && isSame(text[index - before - 1], secret[start - before - 1])) before += 1
    let after = size
    while (isSame(text[index + after], secret[start + after])) after += 1
    if (index < done || before + after < least) continue
    redacted += text.slice(done, index - before) + REDACTED
    done = index + after
  }
  return redacted + text.slice(done)
}

/** Quotation marks and backslashes are not in a part, because JSON in a text would be broken without them. */
function isSame(character: string | undefined, own: string | undefined): boolean {
  return own !== undefined && own !== '"' && own !== '\\' && character?.toLowerCase() === own.toLowerCase()
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
  return formOf(longest(own, /[A-Za-z0-9]+/g), () => own.replace(/[+/]/g, base64Spellings) + rest)
}

function base64Spellings(character: string): string {
  return `(?:${character === '+' ? '-' : '_'}|${spellingsOf(character)})`
}

function longest(text: string, runs: RegExp): string {
  return (text.match(runs) ?? []).sort((a, b) => b.length - a.length)[0] ?? ''
}

/** Characters with a meaning in a regular expression. */
const SYNTAX = /[\^$.*+?()[\]{}|/]/g

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
    `${/[A-Za-z0-9]/.test(character) ? '' : `(?:${BACKSLASHES})?`}${character.replace(SYNTAX, '\\$&')}`,
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
