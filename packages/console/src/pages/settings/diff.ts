/** One value of a JSON document. `path` is where it is, such as `origins[0]`; `sign` is `+` for a new value and `-` for a previous one. */
export type DiffLine = { readonly sign: '+' | '-' | ' '; readonly path: string; readonly value: string }

/** Returns how two JSON values differ, value by value, with what is the same between them. A missing document has no lines. */
export function diffOf(before: unknown, after: unknown): readonly DiffLine[] {
  const was = new Map(valuesOf(before))
  const is = new Map(valuesOf(after))
  const lines: DiffLine[] = []
  for (const path of new Set([...is.keys(), ...was.keys()])) {
    const [old, next] = [was.get(path), is.get(path)]
    if (old !== undefined && old === next) lines.push({ sign: ' ', path, value: old })
    else {
      if (old !== undefined) lines.push({ sign: '-', path, value: old })
      if (next !== undefined) lines.push({ sign: '+', path, value: next })
    }
  }
  return lines
}

function valuesOf(value: unknown, path = ''): [path: string, value: string][] {
  if (value === null || value === undefined) return path === '' ? [] : [[path, 'null']]
  if (typeof value !== 'object') return [[path, JSON.stringify(value)]]
  const children: [string, unknown][] = Array.isArray(value)
    ? value.map((one, at) => [`${path}[${at}]`, one])
    : Object.entries(value).map(([key, one]) => [path === '' ? key : `${path}.${key}`, one])
  if (children.length === 0) return path === '' ? [] : [[path, Array.isArray(value) ? '[]' : '{}']]
  return children.flatMap(([at, one]) => valuesOf(one, at))
}
