import { Ajv } from 'ajv'
import fc from 'fast-check'
import { jsonSchemaOf, lintFunction, type Parameters, readArguments, toolOf, type ValueSchema } from '../src/index.ts'
import { sampleFunction } from './sample-app.ts'
import { refusals } from './vendor-rules.ts'

const fn = sampleFunction({})
const ajv = new Ajv({ strict: true, allowUnionTypes: true })

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/).filter((text) => !(text in Object.prototype))
const choices = (values: fc.Arbitrary<string | number>) => fc.uniqueArray(values, { minLength: 1, maxLength: 4 })

/** Schemas that app files may have, with limits for which values are easy to generate. */
const { schema } = fc.letrec<{ schema: ValueSchema; typed: ValueSchema }>((tie) => ({
  schema: fc.tuple(tie('typed'), fc.boolean()).map(([typed, nullable]) => (nullable ? { ...typed, nullable } : typed)),
  typed: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record(
      { type: fc.constant('string' as const), description: fc.constant('A text'), maxLength: fc.constant(30) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ type: fc.constant('string' as const), enum: choices(fc.string({ maxLength: 5 })) }),
    fc.record({ type: fc.constant('string' as const), pattern: fc.constantFrom('^[a-z]+$', '^[^-][a-z]*$') }),
    fc.record({ type: fc.constant('integer' as const), minimum: fc.integer({ min: -5, max: 0 }), maximum: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ type: fc.constant('number' as const), enum: choices(fc.integer()) }),
    fc.record({ type: fc.constant('boolean' as const), default: fc.boolean() }, { requiredKeys: ['type'] }),
    fc.record({ type: fc.constant('object' as const), additionalProperties: fc.boolean() }, { requiredKeys: ['type'] }),
    fc.record(
      { type: fc.constant('array' as const), items: tie('schema'), uniqueItems: fc.constant(false) },
      { requiredKeys: ['type', 'items'] },
    ),
    objectOf(tie('schema')),
  ),
}))

function objectOf<S extends ValueSchema>(
  inner: fc.Arbitrary<S>,
): fc.Arbitrary<ValueSchema & { properties: Record<string, S>; required: string[] }> {
  return fc.dictionary(name, inner, { maxKeys: 5, noNullPrototype: true }).chain((properties) =>
    fc.record({
      type: fc.constant('object' as const),
      properties: fc.constant(properties),
      required: fc.subarray(Object.keys(properties)),
    }),
  )
}

const described = schema.map((inner) => ({ ...inner, description: 'A value.' }))
const parameters = objectOf(described) as fc.Arbitrary<unknown> as fc.Arbitrary<Parameters>

/** Values that a schema accepts. */
function valuesOf({ nullable, ...schema }: ValueSchema): fc.Arbitrary<unknown> {
  if (nullable) return fc.option(valuesOf(schema))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return schema.pattern === undefined ? fc.string({ maxLength: 30 }) : fc.stringMatching(/^[a-z]{1,5}$/)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 9 })
    case 'number':
      // JSON has no -0.
      return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0)
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesOf(schema.items as ValueSchema), { maxLength: 3 })
    case 'object': {
      const { properties = {}, required = [] } = schema
      if (Object.keys(properties).length > 0) {
        const entries = Object.entries(properties).map(([key, inner]) => [key, valuesOf(inner)])
        return fc.record(Object.fromEntries(entries), { requiredKeys: required as never[], noNullPrototype: true })
      }
      return schema.additionalProperties === false
        ? fc.constant({})
        : fc.dictionary(name, fc.jsonValue(), { maxKeys: 3, noNullPrototype: true })
    }
  }
}

/** Writes a value as a model does in the OpenAI form: null for an absent property, text for an object without declared fields. */
function asModelsWrite(schema: ValueSchema, value: unknown): unknown {
  if (value === null) return null
  if (schema.type === 'array') return (value as unknown[]).map((item) => asModelsWrite(schema.items as ValueSchema, item))
  if (schema.type !== 'object') return value
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return JSON.stringify(value)
  const object = value as Record<string, unknown>
  return Object.fromEntries(properties.map(([key, inner]) => [key, Object.hasOwn(object, key) ? asModelsWrite(inner, object[key]) : null]))
}

describe('the parameters of any valid app file', () => {
  it("have forms that match the vendors' schemas", () => {
    fc.assert(
      fc.property(parameters, (random) => {
        const one = { ...fn, parameters: random }
        expect(lintFunction(one)).toEqual([])
        expect(refusals(one)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('are restored from arguments in the OpenAI form', () => {
    const withValue = parameters.chain((random) => fc.tuple(fc.constant(random), valuesOf(random)))
    fc.assert(
      fc.property(withValue, ([random, value]) => {
        const { strict, parameters: form } = toolOf({ ...fn, parameters: random }, 'openai')
        const empty = Object.keys(random.properties).length === 0
        const written = empty ? {} : strict ? asModelsWrite(random, value) : value
        expect([ajv.validate(form, written), ajv.errors]).toEqual([true, null])
        const read = readArguments(random, written)
        expect(read).toEqual(empty ? {} : JSON.parse(JSON.stringify(value)))
        const own = jsonSchemaOf(random)
        expect([ajv.validate(own, read), ajv.errors]).toEqual([true, null])
        ajv.removeSchema(form)
        ajv.removeSchema(own)
      }),
      { numRuns: 150 },
    )
  })
})
