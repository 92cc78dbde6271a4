import { record, TEXT } from '../values/schema-parts.ts'

const NUMBER = { type: 'number' }
const SIZE = { type: 'integer', minimum: 0 }
const SELF = { $ref: '#/$defs/value' }
const NAMES = { type: 'array', minItems: 1, items: TEXT, uniqueItems: true }

/** The shapes of an object, each with the names of its properties. */
export const ALTERNATIVES = {
  type: 'array',
  minItems: 2,
  items: record(
    { title: TEXT, properties: NAMES },
    { values: { type: 'object', minProperties: 1, additionalProperties: { type: ['string', 'number', 'boolean'] } } },
  ),
}

/** The part of JSON Schema that a parameter may use: what model vendors and the published client libraries understand. */
export const VALUE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: { enum: ['string', 'number', 'integer', 'boolean', 'object', 'array'] },
    nullable: { type: 'boolean' },
    title: TEXT,
    description: TEXT,
    enum: { type: 'array', minItems: 1, uniqueItems: true, items: { type: ['string', 'number', 'boolean'] } },
    default: {},
    format: TEXT,
    pattern: { type: 'string', minLength: 1, format: 're2' },
    minLength: SIZE,
    maxLength: SIZE,
    minimum: NUMBER,
    maximum: NUMBER,
    exclusiveMinimum: NUMBER,
    exclusiveMaximum: NUMBER,
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    items: SELF,
    minItems: SIZE,
    maxItems: SIZE,
    uniqueItems: { type: 'boolean' },
    properties: { type: 'object', additionalProperties: SELF },
    required: { type: 'array', items: TEXT, uniqueItems: true },
    additionalProperties: { anyOf: [{ type: 'boolean' }, SELF] },
    alternatives: ALTERNATIVES,
  },
}

/** The part of JSON Schema that an output may use. Vendors add choices and change formats without notice. */
export const OUTPUT_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['type'],
  properties: {
    type: VALUE_SCHEMA.properties.type,
    description: TEXT,
    items: { $ref: '#/$defs/output' },
    properties: { type: 'object', minProperties: 1, additionalProperties: { $ref: '#/$defs/output' } },
  },
}
