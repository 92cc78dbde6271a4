import type { Variables } from '@onward/predict'

const MAX_DEPTH = 4
const MAX_LISTED = 200
const MAX_PATH = 100

/** `path: type` of each variable that can be written as a tag, outer ones first. Their values are nobody's business. */
export function listVariables(variables: Variables): string[] {
  return linesOf(variables, '', 0).slice(0, MAX_LISTED)
}

function linesOf(variables: object, prefix: string, depth: number): string[] {
  const here = Object.entries(variables)
    .filter(([name]) => (prefix === '' ? /^[A-Za-z_][A-Za-z0-9_-]*$/ : /^[A-Za-z0-9_-]+$/).test(name))
    .filter(([name]) => prefix.length + name.length <= MAX_PATH)
    .slice(0, MAX_LISTED)
  const inner = here.flatMap(([name, value]) =>
    depth < MAX_DEPTH && typeof value === 'object' && value !== null ? linesOf(value, `${prefix}${name}.`, depth + 1) : [],
  )
  return [...here.map(([name, value]) => `${prefix}${name}: ${typeName(value)}`), ...inner]
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
