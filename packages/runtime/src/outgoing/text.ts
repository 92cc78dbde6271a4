import { isUtf8 } from 'node:buffer'

/**
 * Returns the text of a body by the character set in its content type, without a byte order mark. Returns undefined when the bytes are not
 * valid in it; with `fatal: false`, replaces the invalid ones. A missing or unknown character set is read as UTF-8.
 */
export function decodeText(data: Buffer, contentType: string | undefined, options?: { readonly fatal: true }): string | undefined
export function decodeText(data: Buffer, contentType: string | undefined, options: { readonly fatal: false }): string
export function decodeText(data: Buffer, contentType: string | undefined, { fatal } = { fatal: true }): string | undefined {
  const decoder = decoderOf(contentType, fatal)
  if (decoder === undefined) return fatal && !isUtf8(data) ? undefined : data.toString('utf8').replace(/^\uFEFF/, '')
  try {
    return decoder.decode(data)
  } catch {
    return undefined
  }
}

/** Returns undefined for UTF-8, which Buffer decodes faster. */
function decoderOf(contentType: string | undefined, fatal: boolean): InstanceType<typeof TextDecoder> | undefined {
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || /^(utf-?8|us-ascii)$/i.test(charset)) return undefined
  try {
    return new TextDecoder(charset, { fatal })
  } catch {
    return undefined
  }
}
