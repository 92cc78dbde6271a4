import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FunctionFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import type { ParameterSchema, Parameters, ValueSchema } from '../types.ts'
import { jsonSchemaOf } from '../values/json-schema.ts'
import { linearRegExp } from '../values/linear-pattern.ts'
import { isReservedName } from '../values/names.ts'

// ajv's code optimizer takes about half of the time to compile a schema.
const ajv = new Ajv({ strict: true, allErrors: true, code: { optimize: false, regExp: linearRegExp } })
formats.default(ajv)

/** Returns the function's parameters as callers see them, and reports problems that the schema of the format cannot express. */
export function readParameters(file: FunctionFile, at: Path, report: Report): Parameters {
  const own = file.parameters?.properties ?? {}
  for (const name of Object.keys(file.files ?? {}).filter((item) => Object.hasOwn(own, item))) {
    report([...at, 'files', name], 'is a parameter already')
  }
  const properties = { ...own, ...fileParameters(file.files) }
  const required = [...(file.parameters?.required ?? [])]
  const alternatives = file.parameters?.alternatives
  checkObject({ properties, required, ...(alternatives && { alternatives }) }, [...at, 'parameters'], report)
  return { type: 'object', properties, required, ...(alternatives && { alternatives }) }
}

/** Reports parameters whose schemas are not valid in ajv's strict mode, and defaults that do not match their schemas. */
export function checkSchemas(file: FunctionFile, at: Path, report: Report): void {
  for (const [name, schema] of Object.entries(file.parameters?.properties ?? {})) {
    checkStrictly(schema, [...at, 'parameters', 'properties', name], report)
  }
}

/** Reports each parameter that the request does not use, also the paging parameter of templates. A GraphQL document contains no tags. */
export function checkUsed(file: FunctionFile, at: Path, report: Report): void {
  const text = JSON.stringify([{ ...file.request, graphql: undefined }, file.paging?.request])
  const unused = (name: string) => !text.includes(`{${name}}`) && !text.includes(`{${name}*}`)
  for (const name of Object.keys(file.parameters?.properties ?? {}).filter(unused)) {
    report([...at, 'parameters', 'properties', name], 'is not used in request')
  }
  for (const name of Object.keys(file.files ?? {}).filter(unused)) report([...at, 'files', name], 'is not used in request')
  const { paging } = file
  if (paging?.in === 'template' && 'parameter' in paging && unused(paging.parameter)) {
    report([...at, 'paging', 'parameter'], `{${paging.parameter}} is not used in request`)
  }
}

export function checkName(name: string, at: Path, report: Report): void {
  if (isReservedName(name)) report([...at, name], 'is a reserved name')
}

function checkObject(schema: Pick<ValueSchema, 'properties' | 'required' | 'alternatives'>, at: Path, report: Report): void {
  const properties = schema.properties ?? {}
  for (const [name, property] of Object.entries(properties)) {
    checkName(name, [...at, 'properties'], report)
    checkValue(property, [...at, 'properties', name], report)
  }
  for (const name of (schema.required ?? []).filter((item) => !Object.hasOwn(properties, item))) {
    report([...at, 'required'], `${name} is not among the properties`)
  }
  const named = (schema.alternatives ?? []).flatMap((each) => [...each.properties, ...Object.keys(each.values ?? {})])
  for (const name of new Set(named.filter((item) => !Object.hasOwn(properties, item)))) {
    report([...at, 'alternatives'], `${name} is not among the properties`)
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

/**
 * The schemas that were found to be valid, as JSON without titles and descriptions. Many schemas differ only in these, and compiling
 * schemas is the slowest part of loading apps.
 */
const VALID = new Set<string>()
const MAX_VALID = 10_000

/** Compiles the schema as strictly as the validator of calls does, and checks the default against it. */
function checkStrictly(schema: ValueSchema, at: Path, report: Report): void {
  const { title: _title, description: _description, ...rest } = schema
  const key = JSON.stringify(rest)
  if (VALID.has(key)) return
  const checked = jsonSchemaOf(rest)
  try {
    const accepts = ajv.compile(checked)
    if (rest.default === undefined || accepts(rest.default)) {
      if (VALID.size >= MAX_VALID) VALID.clear()
      VALID.add(key)
    }
    for (const error of accepts.errors ?? []) report([...at, 'default'], error.message ?? error.keyword)
  } catch (err) {
    report(at, err instanceof Error ? err.message : String(err))
  } finally {
    // Otherwise ajv keeps every schema in memory.
    ajv.removeSchema(checked)
  }
}

/** The maximum number of files in a list. */
const MAX_FILES = 20

const FILE: ValueSchema = {
  type: 'object',
  properties: {
    url: { type: 'string', format: 'uri', description: 'Public address that the file is fetched from.' },
    base64: { type: 'string', description: 'Content of the file in base64, in place of url.' },
    name: { type: 'string', description: 'File name, with its ending.' },
    content_type: { type: 'string', description: 'Media type of the file, as image/png.' },
  },
  additionalProperties: false,
}

/** Returns the schemas of a function's file parameters as callers see them. */
function fileParameters(files: FunctionFile['files'] = {}): Record<string, ParameterSchema> {
  return Object.fromEntries(
    Object.entries(files).map(([name, { multiple, ...text }]) => [
      name,
      multiple ? { type: 'array', ...text, items: FILE, maxItems: MAX_FILES } : { ...FILE, ...text },
    ]),
  )
}
