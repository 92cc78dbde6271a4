import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FunctionFile } from './file/app-file.ts'
import type { Path, Report } from './problems.ts'
import type { Parameters, ValueSchema } from './types.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
formats.default(ajv)

/** Names that mean something else: to JavaScript objects, or beside the parameters in the body of a call. */
const reservedNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype', '_variables', '_cursor'])

/** The function's parameters as callers see them, checked as far as the format's schema can't. */
export function readParameters(file: FunctionFile, at: Path, report: Report): Parameters {
  const properties = { ...file.parameters?.properties }
  const required = [...(file.parameters?.required ?? [])]
  checkObject({ properties, required }, at, report)
  checkDefaults(properties, at, report)
  return { type: 'object', properties, required }
}

export function checkName(name: string, at: Path, report: Report): void {
  if (reservedNames.has(name)) report([...at, name], 'is a reserved name')
}

function checkObject(schema: Pick<ValueSchema, 'properties' | 'required'>, at: Path, report: Report): void {
  const properties = schema.properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    checkName(name, [...at, 'properties'], report)
    checkValue(property, [...at, 'properties', name], report)
  }
  for (const name of (schema.required ?? []).filter((item) => !Object.hasOwn(properties, item))) {
    report([...at, 'required'], `${name} is not among the properties`)
  }
}

function checkValue(schema: ValueSchema, at: Path, report: Report): void {
  if (schema.type === 'array') {
    if (schema.items) checkValue(schema.items, [...at, 'items'], report)
    else report(at, 'needs items')
  }
  checkObject(schema, at, report)
  if (typeof schema.additionalProperties === 'object') checkValue(schema.additionalProperties, [...at, 'additionalProperties'], report)
}

/** Compiles the schema as a caller's validator will, strictly; and the defaults must be valid themselves. */
function checkDefaults(properties: Record<string, ValueSchema>, at: Path, report: Report): void {
  const defaults = Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value] as const]))
  const schema = { type: 'object', properties }
  try {
    const accepts = ajv.compile(schema)
    if (accepts(Object.fromEntries(defaults))) return
    for (const error of accepts.errors ?? []) {
      const name = error.instancePath.split('/')[1] ?? ''
      report([...at, 'properties', name, 'default'], error.message ?? error.keyword)
    }
  } catch (error) {
    report(at, error instanceof Error ? error.message : String(error))
  } finally {
    // It would keep every schema for ever.
    ajv.removeSchema(schema)
  }
}
