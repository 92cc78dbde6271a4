import { isUtf8 } from 'node:buffer'
import { isTooMuch, readJson } from './read-json.ts'
import type { Redactor } from './redact.ts'

/** The value of bytes that are no text. */
type BinaryAnswer = { readonly content_type: string; readonly base64: string }

/**
 * What an answer's bytes are to the caller: JSON as JSON, unless it is too much to be read; other text as text, anything else as base64 with
 * its content type; null when there are none. Bytes that hold one of the account's secrets are always read as text, so that the secret is
 * redacted.
 */
export function readAnswer(data: Buffer, contentType: string | undefined, redact: Redactor): unknown {
  if (data.length === 0) return null
  if (isText(contentType) || isJson(data) || redact.isIn(data)) return redact.answer(decode(data, contentType))
  return { content_type: contentType ?? 'application/octet-stream', base64: data.toString('base64') } satisfies BinaryAnswer
}

/** An answer without a media type is taken for text, as old APIs send it. */
function isText(contentType: string | undefined): boolean {
  if (contentType === undefined || !/^\s*[\w.+-]+\/[\w.+-]+/.test(contentType)) return true
  return /^\s*(text\/|application\/(json|xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)\b|[^;]*\+(json|xml|yaml)\b)/i.test(
    contentType,
  )
}

/** JSON is sent under the wrong content type often enough. Of what is too much to be read, only that it is text can be told. */
function isJson(data: Buffer): boolean {
  if (data[0] !== 0x7b && data[0] !== 0x5b) return false
  const text = data.toString('utf8')
  return isTooMuch(text) ? isUtf8(data) : readJson(text) !== undefined
}

/** Bytes that do not fit the character set are replaced; an unknown set is read as UTF-8. */
function decode(data: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return data.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return new TextDecoder(charset).decode(data)
  } catch {
    return data.toString('utf8')
  }
}
