import { compilePointer } from '@onward/catalog'
import { isObject, Unusable } from '../json.ts'
import type { Documents } from './load-documents.ts'
import { locate } from './references.ts'

/** Follows the `$ref` of a value, and of each target, to the end. Throws Unusable when a reference has no target. */
export type Resolve = (value: unknown) => unknown

const MAX_STEPS = 50

/** References are followed one at a time when they are needed, because a fully expanded document can be of any size. */
export function makeResolver(documents: Documents): Resolve {
  return (value) => {
    let found = value
    for (let step = 0; isObject(found) && typeof found.$ref === 'string'; step += 1) {
      if (step === MAX_STEPS) throw new Unusable(`$ref ${found.$ref}: refers to itself`)
      found = target(found as { readonly $ref: string }, documents)
    }
    return found
  }
}

function target(reference: { readonly $ref: string }, { root, values, missing, homes }: Documents): unknown {
  const { $ref } = reference
  const url = locate($ref, homes.get(reference) ?? root, root)
  if (!values.has(url)) throw new Unusable(`$ref ${$ref}: ${missing.get(url) ?? 'the document was not read'}`)
  const hash = $ref.includes('#') ? $ref.slice($ref.indexOf('#') + 1) : ''
  const pointer = decoded(hash)
  const found = pointer === '' || pointer.startsWith('/') ? compilePointer(pointer)(values.get(url)) : undefined
  if (found === undefined) throw new Unusable(`$ref ${$ref}: has no target`)
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
