import type { ValueSchema } from '@onward/catalog'
import type { Flat, JsonType } from './flat.ts'
import { safePattern } from './safe-pattern.ts'

/** Formats that describe text and that the vendors of models and ajv know alike. */
const formats: ReadonlySet<string> = new Set(['date', 'date-time', 'time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])

/** Keywords that do not change the type of what they stand in. */
type Keywords = Partial<
  Pick<ValueSchema, 'format' | 'pattern' | 'minLength' | 'maxLength' | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum'> &
    Pick<ValueSchema, 'multipleOf' | 'minItems' | 'maxItems' | 'uniqueItems'>
>

/** The bounds of a value, as far as they are sound: documents hold patterns that are none and bounds that nothing fits. */
export function boundsOf(type: JsonType, { keywords, enum: choices }: Flat): Keywords {
  switch (type) {
    case 'string':
      // Where the values are named, nothing else needs to be told.
      return choices === undefined ? { ...formatOf(keywords.format), ...patternOf(keywords.pattern), ...sizes(keywords, 'Length') } : {}
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
  return typeof format === 'string' && formats.has(format) ? { format } : {}
}

function patternOf(pattern: unknown): Keywords {
  return typeof pattern === 'string' && safePattern(pattern) ? { pattern } : {}
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

/** In OpenAPI 3.0 and before, `exclusiveMinimum` is true or false and belongs to `minimum`. */
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
  // Fractions are not exact: 19.99 would be no multiple of 0.01.
  return step !== undefined && step > 1 && type === 'integer' && Number.isInteger(step) ? { ...bounds, multipleOf: step } : bounds
}

/** Bounds such as 2^63 - 1 have no exact number here, and bound nothing. */
function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : undefined
}
