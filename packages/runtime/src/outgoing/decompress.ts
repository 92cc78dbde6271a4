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

/**
 * Decompresses by `content-encoding`. Throws as soon as there are more than `maxBytes`, so that a zip bomb takes no memory. It is synchronous
 * so that many bombs are not in memory at the same time; 10 MB take about 20 ms.
 */
export function decompress(data: Buffer, encoding: string, maxBytes: number): Buffer {
  const decode = DECODERS[encoding.trim().toLowerCase()]
  if (decode === undefined || data.length === 0) return data
  return decode(data, { maxOutputLength: maxBytes })
}

/** Returns whether `decompress` failed because of the size. */
export function isTooLarge(err: unknown): boolean {
  return codeOf(err) === 'ERR_BUFFER_TOO_LARGE'
}
