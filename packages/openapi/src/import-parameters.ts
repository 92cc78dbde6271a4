import type { ParameterSchema } from '@onward/catalog'
import { compilePointer } from '@onward/catalog'
import { isObject } from './json.ts'
import { nameFields } from './request/name-fields.ts'
import { flatten, type Schemas } from './schema/flatten.ts'
import { propertiesOf, schemaOf } from './schema/to-value-schema.ts'
import { inWords } from './text.ts'

export type ImportedParameters = {
  readonly properties: Readonly<Record<string, ParameterSchema>>
  readonly required: readonly string[]
  /** From each parameter to the property that it was made from. */
  readonly names: Readonly<Record<string, string>>
}

/**
 * The parameters that the JSON Schema of an object stands for, made as an import makes them: one type each, names that can stand in a call,
 * defaults that are values of their own schema. References lead into the schema itself; others are any value.
 */
export function importParameters(schema: unknown): ImportedParameters {
  const schemas: Schemas = { resolve: (value) => targetIn(schema, value), budget: 20_000, maxDepth: 5, maxChoices: 200 }
  const flat = flatten(schema, schemas)
  const fields = propertiesOf(flat, schemas).map(([name, property]) => ({
    ...{ place: 'body' as const, name, file: false, explode: false },
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
  if (!isObject(value) || typeof value.$ref !== 'string' || !/^#(\/|$)/.test(value.$ref)) return undefined
  return compilePointer(value.$ref.slice(1))(schema)
}
