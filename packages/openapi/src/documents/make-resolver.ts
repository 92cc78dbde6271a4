import { compilePointer } from '@onward/catalog'
import { isObject } from '../json.ts'
import { Unusable } from '../unusable.ts'
import type { Documents } from './load-documents.ts'
import { locate } from './locate.ts'

/** What a value is once its `$ref`, and that of its target and so on, is followed. Throws Unusable when one leads nowhere. */
export type Resolve = (value: unknown) => unknown

const MAX_STEPS = 50

/** References are followed one by one where they are needed: a document unfolded as a whole can be of any size. */
export function makeResolver(documents: Documents): Resolve {
  return (value) => {
    let found = value
    for (let step = 0; isObject(found) && typeof found.$ref === 'string'; step += 1) {
      if (step === MAX_STEPS) throw new Unusable(`$ref ${found.$ref}: goes in a circle`)
      found = target(found as { readonly $ref: string }, documents)
    }
    return found
  }
}

function target(reference: { readonly $ref: string }, { root, values, missing, homes }: Documents): unknown {
  const { $ref } = reference
  const url = locate($ref, homes.get(reference) ?? root, root)
  if (!values.has(url)) throw new Unusable(`$ref ${$ref}: ${missing.get(url) ?? 'was not read'}`)
  const hash = $ref.includes('#') ? $ref.slice($ref.indexOf('#') + 1) : ''
  const pointer = decoded(hash)
  const found = pointer === '' || pointer.startsWith('/') ? compilePointer(pointer)(values.get(url)) : undefined
  if (found === undefined) throw new Unusable(`$ref ${$ref}: points at nothing`)
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
