import { createHash } from 'node:crypto'

/** Returns the same number for a name on every machine: 31 bits of its SHA-256, so that it fits every integer type. */
export function stableId(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) & 0x7fffffff
}

/** Returns 12 hex digits of the hash of a JSON value. The order of keys does not matter. */
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
