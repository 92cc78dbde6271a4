import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AppFunction } from '../types.ts'
import { lintDescription, lintSchema } from './lint-schema.ts'
import { lintSize } from './lint-size.ts'
import { toolOf } from './tool-of.ts'

const ajv = new Ajv2020({ allErrors: true })

/** OpenAI's rule, which is the narrowest. */
const NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,63}$/

/**
 * Why a model vendor would refuse the function as a tool, `[]` when each takes it; one vendor refuses all tools of a request for one. A problem
 * with a parameter begins with its path.
 */
export function lintFunction(fn: AppFunction): string[] {
  const problems = NAME.test(fn.name) ? [] : ['its name must have at most 64 letters, digits, - and _, and begin with a letter']
  problems.push(...lintDescription(fn.description, ''), ...lintSchema(fn.parameters), ...lintSize(fn.parameters))
  if (fn.parameters.type !== 'object') problems.push('the parameters must be an object')
  return problems.length > 0 ? problems : formProblems(fn)
}

/** The forms follow from what was checked until now; this is for what only JSON Schema's own rules tell, such as a limit below 0. */
function formProblems(fn: AppFunction): string[] {
  const schemas = [toolOf(fn, 'openai').parameters, toolOf(fn, 'mcp').inputSchema]
  return schemas.flatMap((schema) => (ajv.validateSchema(schema) === true ? [] : [ajv.errorsText(ajv.errors)]))
}
