import { isStructured } from '@onward/json'

/** Compiles a JSON Pointer (RFC 6901) to a function that returns its value in a document, or undefined. */
export function compilePointer(pointer: string): (document: unknown) => unknown {
  const steps = pointer.split('/').slice(1).map(unescapeStep)
  return (document) => {
    let value = document
    for (const step of steps) value = child(value, step)
    return value
  }
}

export function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function child(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(step) ? value[Number(step)] : undefined
  if (!isStructured(value)) return undefined
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : undefined
}
