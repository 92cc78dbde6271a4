import { randomBytes } from 'node:crypto'
import { writeJson } from '@onward/json'
import type { MailFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import { wellFormed } from '../template/encoding.ts'
import { type Input, type Names, toText } from '../template/template.ts'
import { compileRoot, compileValue } from '../template/value-template.ts'
import type { FileContent } from '../types.ts'
import { contentsOf, fileParameter } from './files.ts'
import { headerAddress, headerText } from './mail-header.ts'
import type { Payload } from './payload.ts'

/** A part of a mail, or of a body with a mail (RFC 2045). */
type Entity = { readonly headers?: readonly string[]; readonly type: string; readonly content: string | Uint8Array }

/**
 * Compiles a mail and the JSON about it, which a body has as two parts (multipart/related, RFC 2387). Throws URIError when a text is not
 * well-formed.
 */
export function compileMail(
  file: MailFile,
  about: object,
  names: Names,
  at: Path,
  report: Report,
): (input: Input, problems: string[]) => Payload {
  const place = [...at, 'mail']
  const headers = Object.entries(file.headers).map(([name, value]) => ({
    name,
    ...compileValue(value, names, [...place, 'headers', name], report),
  }))
  const text = compileValue(file.text, names, [...place, 'text'], report)
  const textType = compileValue(file.content_type ?? 'text/plain', names, [...place, 'content_type'], report)
  const attachments = file.attachments === undefined ? null : fileParameter(file.attachments, names)
  if (file.attachments !== undefined && attachments === null) report([...place, 'attachments'], 'must be the tag of a file')
  const metadata = compileRoot(about, names, [...at, 'body'], report)
  return (input, problems) => {
    const written: Entity = {
      headers: ['Content-Transfer-Encoding: 8bit'],
      type: `${toText(textType.read(input))}; charset=UTF-8`,
      content: toText(text.read(input) ?? ''),
    }
    const files = attachments === null ? [] : contentsOf(input.files, attachments)
    const whole = files.length === 0 ? written : inParts('mixed', [written, ...files.map(attached)])
    const lines = headers.flatMap(({ name, read }) => headerLine(name, read(input), problems))
    const mail = entityBytes({ ...whole, headers: [...lines, 'MIME-Version: 1.0', ...(whole.headers ?? [])] })
    const json: Entity = { type: 'application/json; charset=UTF-8', content: writeJson(metadata(input)) }
    const { content, type } = inParts('related', [json, { type: 'message/rfc822', content: mail }])
    return { content, contentType: type, fixed: true }
  }
}

/** Joins the items of a list as addresses. Returns no line for an absent value. */
function headerLine(name: string, value: unknown, problems: string[]): string[] {
  if (value === undefined) return []
  const items = [value].flat().map(toText)
  // A line break would let the caller add a header.
  if (items.some((item) => /[\r\n\0]/.test(item))) problems.push(`the ${name} of the mail has a line break; remove it`)
  return [`${name}: ${Array.isArray(value) ? items.map(headerAddress).join(',\r\n ') : headerText(toText(value).trimStart())}`]
}

function attached({ name, contentType, bytes }: FileContent): Entity {
  const encoded = encodeURIComponent(wellFormed(name)).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return {
    // RFC 2231 allows any script here.
    headers: [`Content-Disposition: attachment; filename*=UTF-8''${encoded}`, 'Content-Transfer-Encoding: base64'],
    type: contentType,
    content: Buffer.from(bytes).toString('base64').replace(/.{76}/g, '$&\r\n'),
  }
}

function inParts(kind: 'mixed' | 'related', parts: readonly Entity[]): Entity {
  // 144 random bits: no content contains them, and no caller can predict them.
  const boundary = `onward-${randomBytes(18).toString('hex')}`
  const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), entityBytes(part), Buffer.from('\r\n')])
  return { type: `multipart/${kind}; boundary=${boundary}`, content: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]) }
}

function entityBytes({ headers = [], type, content }: Entity): Buffer {
  const head = [...headers, `Content-Type: ${type}`, '', ''].join('\r\n')
  return Buffer.concat([Buffer.from(head), Buffer.from(typeof content === 'string' ? wellFormed(content) : content)])
}
