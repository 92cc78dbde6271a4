import { type OutputSchema, objectOf } from '@onward/catalog'
import { isStructured } from '@onward/json'
import { correctName, refuseProblems } from '@onward/runtime'
import { ResponseBody } from '../onward/read-response.ts'

/** `missing` are the paths that lead to nothing. */
type Kept = { readonly output: unknown; readonly missing: readonly string[] }

/** The names in the paths as a tree. `path` is the path that ends here, if one does. */
type Node = { readonly inner: Map<string, Node>; path?: string; found: boolean }

/**
 * Throws `invalid_parameters` for paths with a name that is probably a misspelling of one in the declared output. Other names can exist without
 * being declared, because outputs declare the fields that people use.
 */
export function refuseMisspelt(output: OutputSchema, paths: readonly string[]): void {
  refuseProblems(
    paths.flatMap((path, index) => {
      const meant = meantPath(output, path)
      return meant === undefined ? [] : [`_fields[${index}]: ${path} is not known here; did you mean ${meant}?`]
    }),
  )
}

function meantPath(output: OutputSchema, path: string): string | undefined {
  const names = path.split('.')
  let shape: OutputSchema | undefined = output
  for (const [at, name] of names.entries()) {
    while (shape?.items !== undefined) shape = shape.items
    const properties: OutputSchema['properties'] = shape?.properties
    if (properties === undefined) return undefined
    if (!Object.hasOwn(properties, name)) {
      const meant = meantName(name, Object.keys(properties))
      return meant && names.with(at, meant).join('.')
    }
    shape = properties[name]
  }
  return undefined
}

/**
 * Returns the name that differs from `name` only in case, `_` or `-`, or else by a few letters in its long words. A short word is another one:
 * `closed_by` can exist beside `closed_at`, and `iid` beside `id`.
 */
function meantName(name: string, declared: readonly string[]): string | undefined {
  const words = wordsOf(name)
  const similar = declared.filter((each) => {
    const others = wordsOf(each)
    return others.length === words.length && others.every((other, at) => isSimilar(other, words[at] ?? ''))
  })
  return declared.find((each) => wordsOf(each).join('') === words.join('')) ?? correctName(name, similar)
}

function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]/)
}

const LONG_WORD = 4

function isSimilar(word: string, other: string): boolean {
  return word === other || (Math.min(word.length, other.length) >= LONG_WORD && correctName(word, [other]) !== undefined)
}

/**
 * Returns the parts of an output to which paths such as `items.id` lead, in their places. A path goes through every item of an array, and ends at
 * null and at an empty array. If no path leads to anything, the objects are empty; in place of a text, there is null.
 */
export function keepFields(output: unknown, paths: readonly string[]): Kept {
  const root = treeOf(paths)
  const value = output instanceof ResponseBody ? output.value : output
  const kept = keep(value, root)
  const unfound = unfoundIn(root)
  const missing = [...new Set(paths)].filter((path) => unfound.includes(path))
  return { output: kept ?? null, missing }
}

function treeOf(paths: readonly string[]): Node {
  const root: Node = { inner: new Map(), found: true }
  for (const path of paths) {
    let node = root
    for (const name of path.split('.')) {
      const next = node.inner.get(name) ?? { inner: new Map(), found: false }
      node.inner.set(name, next)
      node = next
    }
    node.path = path
  }
  return root
}

/** Returns the parts of a value that a node keeps, and marks the nodes that it finds; undefined if the value cannot have such parts. */
function keep(value: unknown, node: Node): unknown {
  node.found = true
  const parts = node.inner.size === 0 ? undefined : keepInside(value, node)
  return node.path === undefined ? parts : value
}

function keepInside(value: unknown, node: Node): unknown {
  if (value === null || (Array.isArray(value) && value.length === 0)) {
    markAll(node)
    return value
  }
  if (Array.isArray(value)) return value.map((item) => keepInside(item, node) ?? null)
  if (!isStructured(value)) return undefined
  const entries: [string, unknown][] = []
  for (const [name, inner] of node.inner) {
    if (!Object.hasOwn(value, name)) continue
    const part = keep((value as Record<string, unknown>)[name], inner)
    if (part !== undefined) entries.push([name, part])
  }
  return objectOf(entries)
}

function markAll(node: Node): void {
  node.found = true
  for (const inner of node.inner.values()) markAll(inner)
}

function unfoundIn(node: Node): string[] {
  const own = node.path === undefined || node.found ? [] : [node.path]
  return [...own, ...[...node.inner.values()].flatMap(unfoundIn)]
}
