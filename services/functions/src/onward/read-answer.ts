import { isUtf8 } from 'node:buffer'
import { exceedsLimits, readJson } from './read-json.ts'
import type { Redactor } from './redact.ts'

/** How bytes that are not text are returned to the caller. */
type BinaryAnswer = { readonly content_type: string; readonly base64: string }

/**
 * Converts the body of an answer. JSON becomes its value, other text a string, other bytes base64 with their content type, and an empty body
 * null. JSON that exceeds the limits of `readJson` stays text. Bytes that contain a secret of the account are always read as text, so
 * that the secret can be redacted.
 */
export function readAnswer(data: Buffer, contentType: string | undefined, redact: Redactor): unknown {
  if (data.length === 0) return null
  if (isText(contentType) || isJson(data) || redact.findsIn(data)) return redact.answer(decode(data, contentType))
  return { content_type: contentType ?? 'application/octet-stream', base64: data.toString('base64') } satisfies BinaryAnswer
}

/** An answer without a media type is text: old APIs send it this way. */
function isText(contentType: string | undefined): boolean {
  if (contentType === undefined || !/^\s*[\w.+-]+\/[\w.+-]+/.test(contentType)) return true
  return /^\s*(text\/|application\/(json|xml|yaml|x-yaml|javascript|graphql|x-ndjson|x-www-form-urlencoded)\b|[^;]*\+(json|xml|yaml)\b)/i.test(
    contentType,
  )
}

/** Ignores the content type, because many APIs send JSON with a wrong one. JSON that exceeds the limits is checked only for UTF-8. */
function isJson(data: Buffer): boolean {
  if (data[0] !== 0x7b && data[0] !== 0x5b) return false
  const text = data.toString('utf8')
  return exceedsLimits(text) ? isUtf8(data) : readJson(text) !== undefined
}

/** Replaces bytes that are invalid in the character set. An unknown character set is read as UTF-8. */
function decode(data: Buffer, contentType: string | undefined): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return data.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return new TextDecoder(charset).decode(data)
  } catch {
    return data.toString('utf8')
  }
}
