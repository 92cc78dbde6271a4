import { compilePointer } from '../answer/pointer.ts'

/** A text or number that can be a cursor; null = there is none. */
export function asText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

/** Whether the answer says that more exists; undefined = it does not say. */
export function compileMore(pointer: string | undefined): (body: unknown) => boolean | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return value === undefined ? undefined : Boolean(value)
  }
}

export function compileCount(pointer: string | undefined): (body: unknown) => number | undefined {
  if (pointer === undefined) return () => undefined
  const read = compilePointer(pointer)
  return (body) => {
    const value = read(body)
    return typeof value === 'number' ? value : undefined
  }
}
