import { randomFillSync } from 'node:crypto'

/** Random bytes of the next ids. Each request for random bytes costs more than all else of an id. */
const random = Buffer.alloc(16 * 256)
let used = random.length

/** Returns a new UUIDv7 (RFC 9562): 48 bits of Unix milliseconds, then random bits. Such ids sort by time. */
export function uuidv7(now: number = Date.now()): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  const bytes = random.subarray(used, used + 16)
  used += 16
  bytes.writeUIntBE(now, 0, 6)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The last millisecond of a UUIDv7, in the year 10889. */
const MAX_MS = 2 ** 48 - 1

/**
 * Returns the lower bound of all ids that are made at `at` or later. The ids that were made from one time to another lie between the bounds
 * of the two times. A time outside the range of UUIDv7 is replaced by the first or last possible one.
 */
export function firstUuidAt(at: Date): string {
  const hex = Math.min(Math.max(0, at.getTime()), MAX_MS).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Returns the time at which a UUIDv7 was made. */
export function timeOfUuid(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function isUuidv7(text: string): boolean {
  return isUuid(text) && text[14] === '7'
}
