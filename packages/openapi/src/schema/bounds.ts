import { isLinearPattern, type ValueSchema } from '@onward/catalog'
import type { Flat, JsonType } from './flat.ts'

/** Formats of text that ajv and the model vendors know. */
const FORMATS: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

/** Model vendors get the pattern in each request. */
const MAX_PATTERN = 300

/** Keywords that limit a value without changing its type. */
type Keywords = Partial<
  Pick<ValueSchema, 'format' | 'pattern' | 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'> &
    Pick<ValueSchema, 'multipleOf' | 'minItems' | 'maxItems' | 'uniqueItems'>
>

/**
 * Returns the bounds of a value. Patterns that RE2 does not support, and contradictory bounds, which documents do contain, are dropped.
 * Adds dropped patterns to `dropped`.
 */
export function boundsOf(type: JsonType, { keywords, enum: choices }: Flat, dropped: Set<string>): Keywords {
  switch (type) {
    case 'string':
      // An enum makes other bounds redundant.
      return choices === undefined
        ? { ...formatOf(keywords.format), ...patternOf(keywords.pattern, dropped), ...sizes(keywords, 'Length') }
        : {}
    case 'integer':
    case 'number':
      return choices === undefined ? range(type, keywords) : {}
    case 'array':
      return { ...sizes(keywords, 'Items'), ...(keywords.uniqueItems === true ? { uniqueItems: true } : {}) }
    case 'object':
    case 'boolean':
      return {}
  }
}

function formatOf(format: unknown): Keywords {
  return typeof format === 'string' && FORMATS.has(format) ? { format } : {}
}

function patternOf(pattern: unknown, dropped: Set<string>): Keywords {
  if (typeof pattern !== 'string' || pattern === '') return {}
  if (pattern.length <= MAX_PATTERN && isLinearPattern(pattern)) return { pattern }
  dropped.add(pattern)
  return {}
}

function sizes(keywords: Readonly<Record<string, unknown>>, of: 'Length' | 'Items'): Keywords {
  const least = sizeOf(keywords[`min${of}`])
  const most = sizeOf(keywords[`max${of}`])
  if (least !== undefined && most !== undefined && least > most) return {}
  return { ...(least ? { [`min${of}`]: least } : {}), ...(most === undefined || most === 0 ? {} : { [`max${of}`]: most }) }
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Up to OpenAPI 3.0, `exclusiveMinimum` is a boolean that refers to `minimum`. */
function range(type: JsonType, keywords: Readonly<Record<string, unknown>>): Keywords {
  const bounds: { -readonly [Name in keyof Keywords]: Keywords[Name] } = {}
  for (const [plain, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const bound = numberOf(keywords[plain])
    const strict = keywords[exclusive] === true ? bound : numberOf(keywords[exclusive])
    if (strict !== undefined) bounds[exclusive] = strict
    else if (bound !== undefined) bounds[plain] = bound
  }
  const least = Number(bounds.minimum ?? bounds.exclusiveMinimum ?? Number.NEGATIVE_INFINITY)
  const most = Number(bounds.maximum ?? bounds.exclusiveMaximum ?? Number.POSITIVE_INFINITY)
  if (least > most) return {}
  const step = numberOf(keywords.multipleOf)
  // Floating point is not exact: 19.99 would not be a multiple of 0.01.
  return step !== undefined && step > 1 && type === 'integer' && Number.isInteger(step) ? { ...bounds, multipleOf: step } : bounds
}

/** Bounds such as 2^63 - 1 have no exact value in JavaScript and are dropped. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined
}
