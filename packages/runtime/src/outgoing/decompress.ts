import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { codeOf } from '../error-code.ts'

type Decoder = (data: Buffer, options: { maxOutputLength: number }) => Buffer

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers omit the zlib wrapper that the standard requires.
  deflate: (data, options) => (((data[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(data, options),
  br: brotliDecompressSync,
}

/** The `Accept-Encoding` of a request. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** Servers use one or two. Each takes time, also of a small body. */
const MAX_CODINGS = 3

/**
 * Undoes the codings that `content-encoding` lists, the last one first. Other names in the list, such as `identity` and `aws-chunked`, change
 * nothing. Throws as soon as there are more than `maxBytes`, so that a zip bomb takes no memory. It is synchronous so that many bombs are not
 * in memory at the same time.
 */
export function decompress(data: Buffer, encoding: string, maxBytes: number): Buffer {
  const decoders = encoding.split(',').flatMap((name) => DECODERS[name.trim().toLowerCase()] ?? [])
  if (decoders.length > MAX_CODINGS) throw new Error(`the response has more than ${MAX_CODINGS} content codings`)
  return decoders.reduceRight((decoded, decode) => (decoded.length === 0 ? decoded : decode(decoded, { maxOutputLength: maxBytes })), data)
}

/** Returns whether `decompress` failed because of the size. */
export function isTooLarge(err: unknown): boolean {
  return codeOf(err) === 'ERR_BUFFER_TOO_LARGE'
}
