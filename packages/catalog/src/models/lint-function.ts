import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AppFunction, ValueSchema } from '../types.ts'
import { lintDescription, lintSchema } from './lint-schema.ts'
import { toolOf } from './tool-of.ts'

const ajv = new Ajv2020({ allErrors: true })

/** OpenAI's rule, the strictest. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/**
 * Returns why a model vendor would refuse the function as a tool; `[]` when all accept it. It matters because one bad tool makes a vendor refuse
 * the whole request. A problem with a parameter begins with its path.
 */
export function lintFunction(fn: AppFunction): string[] {
  const problems = NAME.test(fn.name) ? [] : ['its name must have at most 64 letters, digits, - and _, and begin with a letter']
  problems.push(...lintDescription(fn.description, ''), ...lintSchema(fn.parameters), ...lintSize(fn.parameters))
  if (fn.parameters.type !== 'object') problems.push('the parameters must be an object')
  return problems.length > 0 ? problems : formProblems(fn)
}

/** Validates the converted schemas against JSON Schema itself, which finds for example a negative length. */
function formProblems(fn: AppFunction): string[] {
  const schemas = [toolOf(fn, 'openai').parameters, toolOf(fn, 'mcp').inputSchema]
  return schemas.flatMap((schema) => (ajv.validateSchema(schema) === true ? [] : [ajv.errorsText(ajv.errors)]))
}

/** Limits for all parameters of a function together. Source: OpenAI, strict mode. */
const MOST = { properties: 5_000, characters: 120_000, choices: 1_000 }
/** An enum with more values than `choices` may have at most this many characters. */
const LONG_ENUM = { choices: 250, characters: 15_000 }

type Size = { properties: number; characters: number; choices: number }

/** Returns problems with the size of a function's parameters. */
function lintSize(parameters: ValueSchema): string[] {
  const size: Size = { properties: 0, characters: 0, choices: 0 }
  const problems: string[] = []
  measure(parameters, size, problems)
  if (size.properties > MOST.properties) problems.push(`there may be at most ${MOST.properties} properties`)
  if (size.characters > MOST.characters) problems.push(`names and enum values may have at most ${MOST.characters} characters`)
  if (size.choices > MOST.choices) problems.push(`there may be at most ${MOST.choices} enum values`)
  return problems
}

function measure(schema: ValueSchema, size: Size, problems: string[]): void {
  const values = schema.enum ?? []
  const characters = values.reduce<number>((sum, value) => sum + String(value).length, 0)
  size.choices += values.length
  size.characters += characters
  if (values.length > LONG_ENUM.choices && characters > LONG_ENUM.characters) {
    problems.push(`an enum of more than ${LONG_ENUM.choices} values may have at most ${LONG_ENUM.characters} characters`)
  }
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    size.properties += 1
    size.characters += name.length
    measure(inner, size, problems)
  }
  if (schema.items !== undefined) measure(schema.items, size, problems)
}
