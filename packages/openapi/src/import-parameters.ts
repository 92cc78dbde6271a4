import { compilePointer, type ParameterSchema } from '@onward/catalog'
import { nameFields } from './function/fields.ts'
import { isObject } from './json.ts'
import { flatten, type Schemas } from './schema/flatten.ts'
import { propertiesOf, schemaOf } from './schema/value-schema.ts'
import { inWords } from './text.ts'

export type ImportedParameters = {
  readonly properties: Readonly<Record<string, ParameterSchema>>
  readonly required: readonly string[]
  /** Maps each parameter to the property that it was made from. */
  readonly names: Readonly<Record<string, string>>
}

/**
 * Makes function parameters from the JSON Schema of an object, by the rules of an import: one type each, names that a call can use, and
 * defaults that match their own schema. Only references into the schema itself are followed; any other reference accepts every value.
 */
export function importParameters(schema: unknown): ImportedParameters {
  const resolve = (value: unknown) => targetIn(schema, value)
  const schemas: Schemas = { resolve, budget: 20_000, maxDepth: 5, maxChoices: 200, droppedPatterns: new Set(), changes: new Set() }
  const flat = flatten(schema, schemas)
  const fields = propertiesOf(flat, schemas).map(([name, property]) => ({
    place: 'body' as const,
    name,
    file: false,
    explode: false,
    schema: schemaOf(property, schemas),
    required: flat.required.has(name),
  }))
  const named = nameFields(fields.filter(({ name }) => name !== '__proto__'))
  return {
    properties: Object.fromEntries(
      named.map((field) => [field.parameter, { ...field.schema, description: field.schema.description ?? `${inWords(field.name)}.` }]),
    ),
    required: named.filter(({ required }) => required).map(({ parameter }) => parameter),
    names: Object.fromEntries(named.map(({ parameter, name }) => [parameter, name])),
  }
}

function targetIn(schema: unknown, value: unknown): unknown {
  if (!isObject(value) || typeof value.$ref !== 'string') return value
  return /^#(\/|$)/.test(value.$ref) ? compilePointer(value.$ref.slice(1))(schema) : undefined
}
