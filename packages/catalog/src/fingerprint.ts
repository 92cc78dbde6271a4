import { createHash } from 'node:crypto'

/** A number that stays the same over restarts and machines: 31 bits of the name's SHA-256, so that it fits every integer type. */
export function stableId(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) & 0x7fffffff
}

/** 12 hex digits over a JSON value, whatever the order of its keys. */
export function versionOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex')
    .slice(0, 12)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
