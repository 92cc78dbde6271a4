import type { ValueSchema } from '../types.ts'

/** A keyword that a form may lack. */
export type Limit = Exclude<
  keyof ValueSchema,
  'type' | 'title' | 'description' | 'items' | 'properties' | 'required' | 'additionalProperties'
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
}

/** The description, and in words what the schema asks for with keywords that a form can't have. */
export function describe(schema: ValueSchema, lacking: readonly Limit[], more: readonly string[] = []): { description?: string } {
  const words = lacking.flatMap((limit) => {
    const value = schema[limit]
    return value === undefined || value === false ? [] : [(SENTENCES[limit] as (value: unknown) => string)(value)]
  })
  const sentences = [...more, ...words]
  if (sentences.length === 0) return schema.description === undefined ? {} : { description: schema.description }
  return { description: [...(schema.description === undefined ? [] : [ended(schema.description)]), ...sentences].join(' ') }
}

function ended(text: string): string {
  return /[.!?)]\s*$/.test(text) ? text.trimEnd() : `${text.trimEnd()}.`
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
