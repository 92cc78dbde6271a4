import { ExactNumber, isStructured } from '@onward/json'

/** One line of a JSON view. Containers have a first line with `size`; a closing line is not needed, because indentation shows the end. */
export type JsonRow = {
  /** Where it is, such as `$.items[0].name`. Unique, and what "Copy path" copies. */
  readonly path: string
  /** The key in its object or its index in its array; undefined for the root. */
  readonly name: string | undefined
  readonly depth: number
  readonly value: unknown
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'
  /** Keys or items of a container. */
  readonly size: number
  readonly open: boolean
}

/** Returns the lines of a value. `isOpen` says which containers show what is in them. */
export function jsonRows(value: unknown, isOpen: (path: string, depth: number) => boolean): JsonRow[] {
  const rows: JsonRow[] = []
  const add = (one: unknown, path: string, name: string | undefined, depth: number) => {
    const kind = kindOf(one)
    const children = childrenOf(one)
    const open = children.length > 0 && isOpen(path, depth)
    rows.push({ path, name, depth, value: one, kind, size: children.length, open })
    if (open) for (const [key, child] of children) add(child, pathOf(path, key), String(key), depth + 1)
  }
  add(value, '$', undefined, 0)
  return rows
}

/** Returns the lines whose key or plain value has the text, with the containers above them, all open. */
export function searchRows(value: unknown, text: string): JsonRow[] {
  const wanted = text.toLowerCase()
  const rows = jsonRows(value, () => true)
  const kept = new Set<number>()
  const above: number[] = []
  for (const [at, row] of rows.entries()) {
    above.length = row.depth
    above[row.depth] = at
    if (!matches(row, wanted)) continue
    for (const one of above) kept.add(one)
  }
  return rows.filter((_, at) => kept.has(at))
}

function matches({ name, kind, value }: JsonRow, wanted: string): boolean {
  const plain = kind === 'object' || kind === 'array' ? '' : String(value)
  return (name ?? '').toLowerCase().includes(wanted) || plain.toLowerCase().includes(wanted)
}

function kindOf(value: unknown): JsonRow['kind'] {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof ExactNumber) return 'number'
  const kind = typeof value
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

function childrenOf(value: unknown): [string | number, unknown][] {
  if (Array.isArray(value)) return [...value.entries()]
  return isStructured(value) ? Object.entries(value) : []
}

function pathOf(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}
