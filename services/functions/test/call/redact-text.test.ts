import { textRedactor } from '../../src/oauth/redact-text.ts'

const hard = `p&<q>'r+s="0123456789`
const SECRETS = [hard, 'ab+c/d?>~0123456789', 'canary-Token_0123456789', '????>>>>~~~~ab12', 'a\\b\\\\c"0123456789', 'pass word\téï']

const each = (text: string, write: (code: number) => string) => [...text].map((c) => write(c.charCodeAt(0))).join('')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const special = (text: string, write: (code: number) => string) => text.replace(/[^A-Za-z0-9]/g, (c) => write(c.charCodeAt(0)))
const hex = (code: number, digits = 0) => code.toString(16).padStart(digits, '0')
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join('')
const NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' }

describe('textRedactor', () => {
  it.each<[string, (secret: string) => string]>([
    ['as they are', (secret) => secret],
    ['in upper case', (secret) => secret.toUpperCase()],
    ['in lower case', (secret) => secret.toLowerCase()],
    ['in base64', base64],
    ['in base64 without padding', (secret) => base64(secret).replace(/=+$/, '')],
    ['in base64url', (secret) => Buffer.from(secret).toString('base64url')],
    ['in base64 in a URL', (secret) => encodeURIComponent(base64(secret))],
    ['in base64 escaped like PHP', (secret) => base64(secret).replaceAll('/', '\\/').replaceAll('=', '\\u003d')],
    ['in hex', (secret) => Buffer.from(secret).toString('hex')],
    ['in base64 of JSON', (secret) => base64(json(secret))],
    ['in a URL of JSON', (secret) => encodeURIComponent(json(secret))],
    ['like HTML of JSON', (secret) => json(secret).replace(/[&<>"']/g, (c) => `&${NAMES[c]};`)],
    ['in hex of JSON', (secret) => Buffer.from(json(secret)).toString('hex')],
    ['in upper-case hex', (secret) => Buffer.from(secret).toString('hex').toUpperCase()],
    ['in a URL', encodeURIComponent],
    ['in a URL with lower-case digits', (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
    ['in a form', (secret) => new URLSearchParams({ x: secret }).toString().slice(2)],
    ['percent-encoded in every byte', percent],
    ['like HTML', (secret) => secret.replace(/[&<>"']/g, (c) => `&${NAMES[c]};`)],
    ['like HTML with numbers', (secret) => special(secret, (code) => `&#${code};`)],
    ['like HTML with hexadecimal numbers', (secret) => special(secret, (code) => `&#x${hex(code).toUpperCase()};`)],
    ['like HTML in every character', (secret) => each(secret, (code) => `&#${code};`)],
    ['like HTML in every character, in hex', (secret) => each(secret, (code) => `&#x${hex(code)};`)],
    ['like JavaScript in special characters', (secret) => special(secret, (code) => `\\u${hex(code, 4)}`)],
    ['like JavaScript in every character', (secret) => each(secret, (code) => `\\u${hex(code, 4)}`)],
  ])('replaces secrets %s, also in JSON and in JSON in JSON', (_what, write) => {
    for (const secret of SECRETS) {
      const redact = textRedactor([secret, 'another-secret-0123'])
      const text = `<${write(secret)}> <${write(secret)}>`
      expect([secret, redact(text)]).toEqual([secret, '<[redacted]> <[redacted]>'])
      expect(JSON.parse(redact(JSON.stringify({ text })))).toEqual({ text: '<[redacted]> <[redacted]>' })
      expect(redact(JSON.stringify(JSON.stringify({ text })))).toBe(JSON.stringify(JSON.stringify({ text: '<[redacted]> <[redacted]>' })))
    }
  })

  it.each([1, 2, 3, 4, 5])('replaces secrets in base64 of a longer text, after %i other bytes', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      for (const after of ['', '1', '12', '123']) {
        for (const [secret, written] of SECRETS.flatMap((secret) => [secret, json(secret)].map((text) => [secret, text] as const))) {
          const encoded = Buffer.from(`${'x'.repeat(before)}${written}${after}`).toString(encoding)
          expect(textRedactor([secret])(encoded)).toMatch(/^[\w+/-]{2,7}\[redacted\][\w+/-]{0,4}={0,2}$/)
        }
      }
    }
  })

  it('replaces the longer one of two secrets that begin alike', () => {
    expect(textRedactor(['secret-0123', 'secret-0123-and-more'])('secret-0123-and-more secret-0123')).toBe('[redacted] [redacted]')
  })

  const token = 'xoxb-2401-Kd93hQ0z_LmT7'

  it.each<[string, string]>([
    ['without its last character', token.slice(0, -1)],
    ['without its first characters', token.slice(5)],
    ['without either, in upper case', token.slice(3, -2).toUpperCase()],
    ['but for a character', `${token.slice(0, 20)}.${token.slice(21)}`],
    ['followed by other characters of it', `${token.slice(0, 20)}${token.slice(0, 3)}`],
  ])('replaces a secret that is written %s', (_what, part) => {
    const redacted = textRedactor([token])(`<${part}> {"key":"${part}"}`)
    expect(redacted.split('[redacted]')).toHaveLength(3)
    for (let at = 0; at + 12 <= token.length; at += 1) expect(redacted.toLowerCase()).not.toContain(token.slice(at, at + 12).toLowerCase())
  })

  it('replaces every part that is long enough, and none that is shorter', () => {
    const long = `${token}/${token.toLowerCase()}+0123456789`
    for (const [secret, least] of [
      [token, 18],
      [long, Math.ceil((long.length * 3) / 4)],
      [token.slice(0, 14), 12],
    ] as const) {
      const redact = textRedactor([secret])
      for (let at = 0; at + least <= secret.length; at += 1) {
        expect(redact(`..${secret.slice(at, at + least)}..`)).toBe('..[redacted]..')
        const short = `..${secret.slice(at, at + least - 1)}..`
        expect(redact(short)).toBe(short)
      }
    }
  })

  it('keeps JSON valid where a part of a secret ends at an escape', () => {
    const secret = 'abcdefghijklmnop"qrst'
    const redacted = textRedactor([secret])(JSON.stringify({ a: secret.slice(0, 17), b: secret.slice(1), c: `${secret.slice(0, 16)}\\n` }))
    expect(JSON.parse(redacted)).toEqual({ a: '[redacted]"', b: 'bcdefghijklmnop"qrst', c: '[redacted]\\n' })
  })

  it('changes nothing in a text with only short parts of a secret, or other encoded text', () => {
    const text = `0123456789 p&<q> ${base64('0123456789')} ${percent('0123')} &#48;&#49;&#50;&#51; \\u0030 ${base64('other text')}`
    expect(textRedactor([hard, 'canary-Token_0123456789'])(text)).toBe(text)
  })
})
