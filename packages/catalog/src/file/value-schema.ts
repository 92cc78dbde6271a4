const text = { type: 'string', minLength: 1 }
const number = { type: 'number' }
const size = { type: 'integer', minimum: 0 }
const self = { $ref: '#/$defs/value' }

/** The part of JSON Schema that a parameter may use: what models and the published client libraries understand. */
export const valueSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { enum: ['string', 'number', 'integer', 'boolean', 'object', 'array'] },
    title: text,
    description: text,
    enum: { type: 'array', minItems: 1, uniqueItems: true, items: { type: ['string', 'number', 'boolean'] } },
    default: {},
    format: text,
    pattern: { type: 'string', format: 'regex' },
    minLength: size,
    maxLength: size,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    items: self,
    minItems: size,
    maxItems: size,
    uniqueItems: { type: 'boolean' },
    properties: { type: 'object', additionalProperties: self },
    required: { type: 'array', items: text, uniqueItems: true },
    additionalProperties: { anyOf: [{ type: 'boolean' }, self] },
  },
}
