/** How deep an example goes into a schema, which can contain itself. */
const MAX_DEPTH = 6

/** Returns a value that a JSON Schema describes, with placeholders for texts and numbers. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null
  const { const: only, enum: choices, examples, default: usual, anyOf, oneOf, properties, items, type } = Object(schema)
  const [given] = [only, examples?.[0], usual, choices?.[0]].filter((value) => value !== undefined)
  if (given !== undefined) return given
  const [variant] = anyOf ?? oneOf ?? []
  if (variant !== undefined) return exampleOf(variant, depth + 1)
  const [kind] = [type].flat().filter((each) => each !== 'null')
  if (properties !== undefined || kind === 'object') return exampleObject(properties, depth)
  if (items !== undefined || kind === 'array') return items === undefined ? [] : [exampleOf(items, depth + 1)]
  return kind === undefined ? null : (PLACEHOLDERS[kind] ?? null)
}

function exampleObject(properties: unknown, depth: number): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(properties)).map(([name, each]) => [name, exampleOf(each, depth + 1)]))
}

const PLACEHOLDERS: Readonly<Record<string, unknown>> = { string: '…', number: 1, integer: 1, boolean: true }
