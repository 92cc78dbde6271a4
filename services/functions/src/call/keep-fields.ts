import { type OutputSchema, objectOf } from '@onward/catalog'
import { isStructured } from '@onward/json'
import { refuseProblems } from '@onward/runtime'
import { ResponseBody } from '../onward/read-response.ts'

/** `missing` are the paths that lead to nothing. */
type Kept = { readonly output: unknown; readonly missing: readonly string[] }

/** The names in the paths as a tree. `path` is the path that ends here, if one does. */
type Node = { readonly inner: Map<string, Node>; path?: string; found: boolean }

/**
 * Throws `invalid_parameters` for paths with a name that differs from one of the declared output only in case, `_` or `-`. Other names can exist
 * without being declared, also similar ones, such as `closed_by` beside `closed_at`.
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
      const meant = Object.keys(properties).find((each) => folded(each) === folded(name))
      return meant && names.with(at, meant).join('.')
    }
    shape = properties[name]
  }
  return undefined
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/**
 * Returns the parts of an output to which paths such as `items.id` lead, in their places. A path goes through every item of an array, and ends at
 * null and at an empty array. If no path leads to anything, as in a text, returns the output itself.
 */
export function keepFields(output: unknown, paths: readonly string[]): Kept {
  const root = treeOf(paths)
  const value = output instanceof ResponseBody ? output.value : output
  const kept = keep(value, root)
  const unfound = unfoundIn(root)
  const missing = [...new Set(paths)].filter((path) => unfound.includes(path))
  return { output: missing.length === new Set(paths).size ? output : kept, missing }
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
