import { randomBytes } from 'node:crypto'
import { writeJson } from '@onward/json'
import { encodePairs, type Pair, toPairs, wellFormed } from '../template/encoding.ts'
import type { FileContent } from '../types.ts'

/** A serialised body. `fixed` means that headers cannot change its content type. */
export type Payload = { readonly content: string | Uint8Array; readonly contentType: string; readonly fixed?: boolean }

export function jsonPayload(body: unknown): Payload {
  return { content: writeJson(body), contentType: 'application/json' }
}

/** Writes nested values with bracketed names, then the `repeated` keys. Throws URIError when a text is not well-formed. */
export function writeForm(body: object, repeated: readonly Pair[] = []): Payload {
  const pairs = [...Object.entries(body).flatMap(([key, value]) => toPairs(key, value)), ...repeated]
  return { content: encodePairs(pairs), contentType: 'application/x-www-form-urlencoded' }
}

/** One part of a form: a text, with a content type when it is not plain, or a file. */
export type Part = { readonly name: string } & ({ readonly text: string; readonly contentType?: string } | { readonly file: FileContent })

/** Writes `multipart/form-data` (RFC 7578). Throws URIError when a text is not well-formed. */
export function writeMultipart(parts: readonly Part[]): Payload {
  // 144 random bits: no content contains them, and no caller can predict them.
  const boundary = `onward-${randomBytes(18).toString('hex')}`
  const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`), bytesOf(part), Buffer.from('\r\n')])
  const content = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])
  return { content, contentType: `multipart/form-data; boundary=${boundary}`, fixed: true }
}

function headOf(part: Part): string {
  const disposition = `Content-Disposition: form-data; name="${quoted(part.name)}"`
  if ('file' in part) return `${disposition}; filename="${quoted(part.file.name)}"\r\nContent-Type: ${part.file.contentType}`
  return part.contentType === undefined ? disposition : `${disposition}\r\nContent-Type: ${part.contentType}`
}

function bytesOf(part: Part): Uint8Array {
  return 'file' in part ? part.file.bytes : Buffer.from(wellFormed(part.text))
}

/** Escapes quotes and control characters as browsers do (WHATWG HTML, multipart/form-data encoding algorithm). */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get out
  return wellFormed(text).replace(/["\u0000-\u001f\u007f]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
