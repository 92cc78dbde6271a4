import type { Operation } from './spec/spec.ts'

/** Whether an operation is among those asked for: by its id, by a tag, or by what its path begins with. Nothing asked for = every one. */
export function selects(include: readonly string[], operation: Operation): boolean {
  return (
    include.length === 0 ||
    include.some((text) => namesOperation(text, operation) || operation.tags.includes(text) || isBelow(text, operation.path))
  )
}

/** Whether an operation is asked for by its own id. */
export function namesOperation(text: string, { id }: Operation): boolean {
  return id !== undefined && id === text
}

function isBelow(prefix: string, path: string): boolean {
  return prefix.startsWith('/') && (path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`))
}
