import { createHash } from 'node:crypto'

/** Returns the same number for a name on every machine: 31 bits of its SHA-256, so that it fits every integer type. */
export function stableId(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) & 0x7fffffff
}

/** Returns 12 hex digits of the hash of a JSON value. The order of keys does not matter. */
export function versionOf(value: object): string {
  return createHash('sha256').update(sortedJson(value)).digest('hex').slice(0, 12)
}

function sortedJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(sortedJson).join()}]`
  const members = Object.entries(value).filter(([, item]) => item !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join()}}`
}
