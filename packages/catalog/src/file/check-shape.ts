import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { Path, Report } from '../problems.ts'
import { unescapeStep } from '../values/json-pointer.ts'
import { isLinearPattern } from '../values/linear-pattern.ts'
import { APP_FILE_SCHEMA } from './app-file-schema.ts'

// ajv's code optimizer takes about half of the time to compile a schema.
const code = { optimize: false } as const

/** Compiled on first use: a process that loads only checked files does not need it. */
let compiled: ValidateFunction | undefined

function compileSchema(): ValidateFunction {
  const ajv = new Ajv({ strict: true, strictRequired: false, allErrors: true, discriminator: true, allowUnionTypes: true, code })
  formats.default(ajv)
  ajv.addFormat('re2', isLinearPattern)
  return ajv.compile(APP_FILE_SCHEMA)
}

/** Reports where a parsed file does not match the schema of the format. */
export function checkShape(value: unknown, report: Report): void {
  compiled ??= compileSchema()
  const accepts = compiled
  if (accepts(value)) return
  const seen = new Set<string>()
  for (const error of accepts.errors ?? []) {
    const found = explain(error)
    if (!found || seen.has(JSON.stringify(found))) continue
    seen.add(JSON.stringify(found))
    report(...found)
  }
}

function explain(error: ErrorObject): [Path, string] | null {
  const path = error.instancePath.split('/').slice(1).map(unescapeStep)
  if (error.propertyName !== undefined) return [[...path, error.propertyName], 'is not a valid name']
  switch (error.keyword) {
    case 'required':
      return [path, `needs ${articleOf(error.params.missingProperty)} ${error.params.missingProperty}`]
    case 'additionalProperties':
      return [[...path, error.params.additionalProperty], 'is not a key of this format']
    case 'format':
      if (error.params.format === 're2') return [path, 'is not a regular expression that RE2 supports']
      return [path, error.message ?? error.keyword]
    case 'enum':
      return [path, `must be one of ${error.params.allowedValues.join(', ')}`]
    // These repeat a more precise error.
    case 'propertyNames':
    case 'discriminator':
    case 'anyOf':
    case 'if':
      return null
    default:
      return [path, error.message ?? error.keyword]
  }
}

function articleOf(word: string): string {
  return /^[aeio]/.test(word) ? 'an' : 'a'
}
