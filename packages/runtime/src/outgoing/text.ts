import { isUtf8 } from 'node:buffer'

/**
 * Returns the text of a body by the character set in its content type, without a byte order mark. Returns undefined when the bytes are not
 * valid in it; with `fatal: false`, replaces the invalid ones. A missing or unknown character set is read as UTF-8.
 */
export function decodeText(data: Buffer, contentType: string | undefined, options?: { readonly fatal: true }): string | undefined
export function decodeText(data: Buffer, contentType: string | undefined, options: { readonly fatal: false }): string
export function decodeText(data: Buffer, contentType: string | undefined, { fatal } = { fatal: true }): string | undefined {
  const charset = charsetOf(data, contentType)
  if (charset === 'utf-8') return fatal && !isUtf8(data) ? undefined : data.toString('utf8').replace(/^\uFEFF/, '')
  // Node.js 20 decodes it as ISO-8859-1, which has control characters in place of quotes, dashes and the euro sign.
  if (charset === 'windows-1252') return data.toString('latin1').replace(/[\x80-\x9f]/g, (char) => C1[char.charCodeAt(0) - 0x80] ?? char)
  try {
    return new TextDecoder(charset, { fatal }).decode(data)
  } catch {
    return undefined
  }
}

/** The characters 0x80 to 0x9f of windows-1252, which the WHATWG encoding standard also reads where ISO-8859-1 is declared. */
const C1 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Returns the name of the encoding in the WHATWG encoding standard. */
function charsetOf(data: Buffer, contentType: string | undefined): string {
  const label = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  if (label === undefined || /^(utf-?8|us-ascii)$/i.test(label)) return 'utf-8'
  // The mark at the beginning decides the byte order (RFC 2781, 3.3).
  if (/^utf-16$/i.test(label) && data[0] === 0xfe && data[1] === 0xff) return 'utf-16be'
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'utf-8'
  }
}
