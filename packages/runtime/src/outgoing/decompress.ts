import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'

type Decoder = (data: Buffer, options: { maxOutputLength?: number }) => Promise<Buffer>

const zlibWrapped: Decoder = promisify(inflate)
const bare: Decoder = promisify(inflateRaw)

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  // Meant to be in zlib's wrapping, which not all servers know.
  deflate: (data, options) => (((data[0] ?? 0) & 0x0f) === 8 ? zlibWrapped : bare)(data, options),
  br: promisify(brotliDecompress),
}

/** The codings that we ask for. */
export const ACCEPT_ENCODING = 'gzip, deflate, br'

/** The bytes behind a `content-encoding`. Gives up as soon as there are more than `cap` (undefined: no cap), so a bomb costs no memory. */
export async function decompress(data: Buffer, encoding: string, cap: number | undefined): Promise<Buffer> {
  const decode = DECODERS[encoding.trim().toLowerCase()]
  if (decode === undefined || data.length === 0) return data
  return await decode(data, cap === undefined ? {} : { maxOutputLength: cap })
}

/** Whether `decompress` gave up for size. */
export function isTooLarge(err: unknown): boolean {
  return (err as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
}
