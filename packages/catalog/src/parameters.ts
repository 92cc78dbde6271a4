import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FunctionFile } from './file/app-file.ts'
import { fileParameters } from './file-parameters.ts'
import { isReservedName } from './is-reserved-name.ts'
import type { Path, Report } from './problems.ts'
import type { Parameters, ValueSchema } from './types.ts'

const ajv = new Ajv({ strict: true, allErrors: true })
formats.default(ajv)

/** The function's parameters as callers see them, checked as far as the format's schema can't. */
export function readParameters(file: FunctionFile, at: Path, report: Report): Parameters {
  const own = file.parameters?.properties ?? {}
  for (const name of Object.keys(file.files ?? {}).filter((item) => Object.hasOwn(own, item))) {
    report([...at, 'files', name], 'is a parameter already')
  }
  const properties = { ...own, ...fileParameters(file.files) }
  const required = [...(file.parameters?.required ?? [])]
  checkObject({ properties, required }, [...at, 'parameters'], report)
  for (const [name, schema] of Object.entries(properties)) checkStrictly(schema, [...at, 'parameters', 'properties', name], report)
  return { type: 'object', properties, required }
}

/** Reports each parameter that the request makes no use of. A GraphQL document has no templates in it. */
export function checkUsed(file: FunctionFile, at: Path, report: Report): void {
  const text = JSON.stringify({ ...file.request, graphql: undefined })
  const unused = (name: string) => !text.includes(`{${name}}`) && !text.includes(`{${name}*}`)
  for (const name of Object.keys(file.parameters?.properties ?? {}).filter(unused)) {
    report([...at, 'parameters', 'properties', name], 'is not used in request')
  }
  for (const name of Object.keys(file.files ?? {}).filter(unused)) report([...at, 'files', name], 'is not used in request')
}

export function checkName(name: string, at: Path, report: Report): void {
  if (isReservedName(name)) report([...at, name], 'is a reserved name')
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

/** What was found sound before, as JSON: most schemas differ in their texts only, and compiling is the dearest part of loading apps. */
const sound = new Set<string>()
const MAX_SOUND = 10_000

/** Compiles the schema as a caller's validator will, strictly; and the default must be valid itself. */
function checkStrictly(schema: ValueSchema, at: Path, report: Report): void {
  const { title: _title, description: _description, ...rest } = schema
  const key = JSON.stringify(rest)
  if (sound.has(key)) return
  try {
    const accepts = ajv.compile(rest)
    if (rest.default === undefined || accepts(rest.default)) {
      if (sound.size >= MAX_SOUND) sound.clear()
      sound.add(key)
    }
    for (const error of accepts.errors ?? []) report([...at, 'default'], error.message ?? error.keyword)
  } catch (error) {
    report(at, error instanceof Error ? error.message : String(error))
  } finally {
    // It would keep every schema for ever.
    ajv.removeSchema(rest)
  }
}
