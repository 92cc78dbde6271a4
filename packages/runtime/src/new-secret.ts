import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The kinds of secrets, as they appear after `onw_`. SECURITY.md lists them for scanners. */
export type SecretKind = 'sk' | 'pk' | 'mcp' | 'mca' | 'mcr' | 'mcs' | 'ot'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Returns a new secret of 256 random bits, as `onw_sk_` and 49 letters and digits. The last six are the CRC-32 of what is before them, with
 * which a scanner tells a leaked secret from a text that only looks like one.
 */
export function newSecret(kind: SecretKind): string {
  const text = `onw_${kind}_${inDigits(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)}`
  return `${text}${inDigits(BigInt(crc32(text)), 6)}`
}

/** Returns what may be shown of a secret: its prefix and last four characters, such as `onw_sk_…387v`. They belong to the checksum. */
export function maskedSecret(secret: string): string {
  const [prefix = ''] = secret.match(/^(?:onw_)?[a-z]{1,3}_/) ?? []
  return `${prefix}…${secret.slice(-4)}`
}

function inDigits(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = `${DIGITS[Number(rest % 62n)]}${text}`
  return text
}
