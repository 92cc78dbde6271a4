import { isRecord, same } from './same.ts'

/** Whether a value is one of those that are right. An object among them lists, for each member, the values that are right; '' lets it be left out. */
export function accepts(value: unknown, right: readonly unknown[]): boolean {
  return right.some((one) => {
    if (one === '') return value === ''
    if (isRecord(one)) return isRecord(value) && acceptsMembers(value, one)
    if (!Array.isArray(one)) return same(value, one)
    return (
      Array.isArray(value) &&
      value.length === one.length &&
      one.every((item, at) => (isRecord(item) ? accepts(value[at], [item]) : same(value[at], item)))
    )
  })
}

function acceptsMembers(value: Readonly<Record<string, unknown>>, right: Readonly<Record<string, unknown>>): boolean {
  if (Object.keys(value).some((key) => !Object.hasOwn(right, key))) return false
  return Object.entries(right).every(([key, given]) => {
    const list = Array.isArray(given) ? given : [given]
    return Object.hasOwn(value, key) ? accepts(value[key], list) : list.includes('')
  })
}
