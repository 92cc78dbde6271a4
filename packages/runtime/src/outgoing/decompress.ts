import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { codeOf } from '../error-code.ts'

type Decoder = (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const inflateZlib: Decoder = promisify(inflate)
const inflateBare: Decoder = promisify(inflateRaw)

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  // Some servers omit the zlib wrapper that the standard requires.
  deflate: (data, options) => (((data[0] ?? 0) & 0x0f) === 8 ? inflateZlib : inflateBare)(data, options),
  br: promisify(brotliDecompress),
}

/** The `Accept-Encoding` of a request. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** Decompresses by `content-encoding`. Throws as soon as there are more than `maxBytes`, so that a zip bomb takes no memory. */
export async function decompress(data: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  const decode = DECODERS[encoding.trim().toLowerCase()]
  if (decode === undefined || data.length === 0) return data
  return await decode(data, { maxOutputLength: maxBytes })
}

/** Returns whether `decompress` failed because of the size. */
export function isTooLarge(err: unknown): boolean {
  return codeOf(err) === 'ERR_BUFFER_TOO_LARGE'
}
