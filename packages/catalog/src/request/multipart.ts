import { randomBytes } from 'node:crypto'
import type { FileContent } from '../types.ts'
import type { Payload } from './payload.ts'
import { wellFormed } from './well-formed.ts'

/** One part of a form: a text, with a content type where it is not plain, or a file. */
export type Part = { readonly name: string } & ({ readonly text: string; readonly contentType?: string } | { readonly file: FileContent })

/** Writes `multipart/form-data` (RFC 7578). Throws URIError when a text is not well-formed. */
export function writeMultipart(parts: readonly Part[]): Payload {
  // 144 random bits: no content holds them, and no caller can foresee them.
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

/** UTF-8 as it is; a quote and what could end the line as browsers write them (WHATWG HTML, multipart/form-data encoding algorithm). */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get out
  return wellFormed(text).replace(/["\u0000-\u001f\u007f]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
}
