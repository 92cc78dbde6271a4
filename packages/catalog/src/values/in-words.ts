import type { Alternative, ValueSchema } from '../types.ts'

/** A keyword that a vendor's schema may lack. */
export type Limit = Exclude<
  keyof ValueSchema,
  'type' | 'nullable' | 'title' | 'description' | 'items' | 'properties' | 'required' | 'additionalProperties'
>

const SENTENCES: { readonly [K in Limit]: (value: NonNullable<ValueSchema[K]>) => string } = {
  enum: (values) => `One of ${values.map((value) => JSON.stringify(value)).join(', ')}.`,
  format: (format) => `Format: ${format}.`,
  pattern: (pattern) => `Must match the regular expression ${pattern}`,
  minLength: (least) => `At least ${count(least, 'character')}.`,
  maxLength: (most) => `At most ${count(most, 'character')}.`,
  minimum: (least) => `${least} or more.`,
  maximum: (most) => `${most} or less.`,
  exclusiveMinimum: (below) => `More than ${below}.`,
  exclusiveMaximum: (above) => `Less than ${above}.`,
  multipleOf: (step) => `A multiple of ${step}.`,
  minItems: (least) => `At least ${count(least, 'item')}.`,
  maxItems: (most) => `At most ${count(most, 'item')}.`,
  uniqueItems: () => 'No item twice.',
  default: (value) => `Default: ${JSON.stringify(value)}.`,
  alternatives: alternativesText,
}

/** Returns the description, extended by sentences for the limits that a vendor's schema lacks. */
export function describe(schema: ValueSchema, lacking: readonly Limit[], more: readonly string[] = []): { description?: string } {
  const words = lacking.flatMap((limit) => {
    const value = schema[limit]
    return value === undefined || value === false ? [] : [(SENTENCES[limit] as (value: unknown) => string)(value)]
  })
  const sentences = [...more, ...words]
  if (sentences.length === 0) return schema.description === undefined ? {} : { description: schema.description }
  return { description: [...(schema.description === undefined ? [] : [ended(schema.description)]), ...sentences].join(' ') }
}

/** Vendors limit descriptions to 1,024 characters. */
const MAX_SHAPES = 500

/** `One of: Card (number, cvc; type "card"); Bank (iban).` Only the titles when that is too long. */
function alternativesText(all: readonly Alternative[]): string {
  const long = `One of: ${all.map(shapeText).join('; ')}.`
  return long.length <= MAX_SHAPES ? long : `One of: ${all.map(({ title }) => title).join('; ')}.`
}

function shapeText({ title, properties, values = {} }: Alternative): string {
  const names = properties.filter((name) => !Object.hasOwn(values, name))
  const fixed = Object.entries(values).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  return `${title} (${[names, fixed]
    .filter((part) => part.length > 0)
    .map((part) => part.join(', '))
    .join('; ')})`
}

function ended(text: string): string {
  return /[.!?)]\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** Whether a schema is an object without declared fields. */
export function isOpenObject({ type, properties = {} }: ValueSchema): boolean {
  return type === 'object' && Object.keys(properties).length === 0
}

/** Returns a sentence for the description of an object that a vendor accepts only as text. */
export function asText({ properties = {} }: ValueSchema): string {
  const names = Object.keys(properties)
  return names.length === 0 ? 'A JSON object, as text.' : `A JSON object with the fields ${names.join(', ')}, as text.`
}
