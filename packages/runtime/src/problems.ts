import type { ErrorObject } from 'ajv'

/** More than this many are not told: a small request could have a huge answer. */
const MAX_TOLD = 1_000

/** One string per problem, `"<field path>: <what is wrong>"`, such as `"[3].allowed_tasks: must be a whole number, 0 or more"`. */
export function describeProblems(errors: readonly ErrorObject[]): string[] {
  const told = [...new Set(errors.slice(0, MAX_TOLD).map(describeProblem))]
  return errors.length > MAX_TOLD ? [...told, `: has ${errors.length - MAX_TOLD} more problems`] : told
}

function describeProblem(error: ErrorObject): string {
  const path = fieldPath(error.instancePath)
  switch (error.keyword) {
    case 'required':
      return `${join(path, error.params.missingProperty)}: is required`
    case 'additionalProperties': {
      const key: string = error.params.additionalProperty
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
      const near = nearest(key, known)
      return `${join(path, key)}: is not known here${near === undefined ? '' : `; did you mean ${near}?`}`
    }
    case 'type':
    case 'minimum':
      return `${path}: ${typeText(error.parentSchema as TypeSchema, false)}`
    case 'maximum':
      return `${path}: ${typeText(error.parentSchema as TypeSchema, true)}`
    case 'enum':
      return `${path}: must be one of ${error.params.allowedValues.map((value: unknown) => JSON.stringify(value)).join(', ')}`
    case 'minLength':
      return `${path}: ${error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`}`
    case 'maxLength':
      return `${path}: must have at most ${error.params.limit} characters`
    case 'minItems':
      return `${path}: ${error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} items`}`
    case 'maxItems':
      return `${path}: must have at most ${error.params.limit} items`
    case 'uniqueItems':
      return `${path}: must not hold the same item twice`
    case 'format':
      return `${path}: must be a valid ${error.params.format}`
    default:
      return `${path}: ${error.message ?? `fails ${error.keyword}`}`
  }
}

type TypeSchema = { type: string | readonly string[]; minimum?: number; maximum?: number }

const TYPE_TEXT: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

/** The greatest whole number of all is left out as a bound, unless it is the bound that was passed. */
function typeText({ type, minimum, maximum }: TypeSchema, passed: boolean): string {
  const kinds = (typeof type === 'string' ? [type] : type).map((kind) => TYPE_TEXT[kind] ?? kind)
  const range =
    minimum !== undefined && maximum !== undefined && (passed || maximum !== Number.MAX_SAFE_INTEGER)
      ? `, ${minimum} to ${maximum}`
      : minimum !== undefined
        ? `, ${minimum} or more`
        : maximum !== undefined
          ? `, ${maximum} or less`
          : ''
  return `must be ${kinds.join(' or ')}${range}`
}

/** `/3/allowed_tasks` → `[3].allowed_tasks` */
function fieldPath(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** The known word that is closest to a misspelt one, if any is close enough to be meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .filter((candidate) => Math.abs(candidate.length - word.length) <= 3)
    .map((candidate) => ({ candidate, steps: editSteps(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.steps - b.steps)
  return best !== undefined && best.steps <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/** Optimal string alignment: insert, delete, replace, or swap two neighbours. */
function editSteps(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replace, swap))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
