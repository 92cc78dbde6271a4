import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { TOOL_FORMATS, toolOf } from '../src/index.ts'
import type { AppFunction } from '../src/types.ts'

const text = { type: 'string', minLength: 1 }
const choices = (items: object) => ({ type: 'array', minItems: 1, items })
const size = { type: 'integer', minimum: 0 }
const number = { type: 'number' }
const toolName = { type: 'string', pattern: '^[a-zA-Z0-9_-]{1,64}$' }
const toolText = { type: 'string', minLength: 1, maxLength: 1024 }

function closed(required: Record<string, object>, optional: Record<string, object> = {}) {
  return { type: 'object', required: Object.keys(required), additionalProperties: false, properties: { ...required, ...optional } }
}

function orNull(name: string) {
  return { anyOf: [{ const: name }, { type: 'array', items: [{ const: name }, { const: 'null' }], minItems: 2, maxItems: 2 }] }
}

/** OpenAI, "Structured Outputs": the keywords of strict mode. */
const strictFormats = ['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid']
const strict = {
  $id: 'strict',
  anyOf: [
    closed(
      {
        type: orNull('object'),
        properties: { type: 'object', additionalProperties: { $ref: 'strict' } },
        required: { type: 'array', items: text, uniqueItems: true },
        additionalProperties: { const: false },
      },
      { description: text },
    ),
    closed({ type: orNull('array'), items: { $ref: 'strict' } }, { description: text, minItems: size, maxItems: size }),
    closed({ type: orNull('string') }, { description: text, enum: choices({}), pattern: text, format: { enum: strictFormats } }),
    ...['number', 'integer'].map((type) =>
      closed(
        { type: orNull(type) },
        {
          description: text,
          enum: choices({}),
          minimum: number,
          maximum: number,
          exclusiveMinimum: number,
          exclusiveMaximum: number,
          multipleOf: number,
        },
      ),
    ),
    closed({ type: orNull('boolean') }, { description: text, enum: choices({}) }),
  ],
}

/** Google, Gemini API: the keywords of JSON Schema that `parametersJsonSchema` reads, with one type for each value, or that type and null. */
const parameterName = '^[A-Za-z_][A-Za-z0-9_]{0,63}$'
const gemini = {
  $id: 'gemini',
  anyOf: [
    closed(
      { type: orNull('object') },
      {
        title: text,
        description: text,
        properties: {
          type: 'object',
          minProperties: 1,
          propertyNames: { pattern: parameterName },
          additionalProperties: { $ref: 'gemini' },
        },
        required: { type: 'array', items: text, uniqueItems: true },
        additionalProperties: { anyOf: [{ type: 'boolean' }, { $ref: 'gemini' }] },
      },
    ),
    closed({ type: orNull('array'), items: { $ref: 'gemini' } }, { title: text, description: text, minItems: size, maxItems: size }),
    closed({ type: orNull('string') }, { title: text, description: text, format: text, enum: choices(text) }),
    ...['number', 'integer'].map((type) =>
      closed({ type: orNull(type) }, { title: text, description: text, minimum: number, maximum: number, enum: choices(number) }),
    ),
    closed({ type: orNull('boolean') }, { title: text, description: text }),
  ],
}

const rules = new Ajv({ allErrors: true, strict: false, schemas: [strict, gemini] })
const hint = { type: 'boolean' }
const strictParameters = { allOf: [{ $ref: 'strict' }, { properties: { type: { const: 'object' } } }] }
const openAiFunction = { name: toolName, description: toolText }
/** With `strict: false`, any JSON Schema of an object is accepted. */
const openAi = {
  anyOf: [
    closed({ ...openAiFunction, strict: { const: true }, parameters: strictParameters }),
    closed({ ...openAiFunction, strict: { const: false }, parameters: { type: 'object', properties: { type: { const: 'object' } } } }),
  ],
}
const accepts = {
  openai: rules.compile({ type: 'object', required: ['type'], properties: { type: { const: 'function' } } }),
  'openai-chat': rules.compile(closed({ type: { const: 'function' }, function: openAi })),
  anthropic: rules.compile(closed({ name: toolName, description: toolText, input_schema: { type: 'object' } })),
  gemini: rules.compile(
    closed(
      { name: { ...toolName, pattern: '^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$' }, description: toolText },
      { parametersJsonSchema: { allOf: [{ $ref: 'gemini' }, { properties: { type: { const: 'object' } } }] } },
    ),
  ),
  mcp: rules.compile(
    closed({
      name: toolName,
      title: text,
      description: toolText,
      inputSchema: { type: 'object' },
      annotations: closed({ title: text, readOnlyHint: hint, destructiveHint: hint, idempotentHint: hint, openWorldHint: hint }),
    }),
  ),
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
formats.default(ajv)

/** Returns what the vendors would refuse in a function's tools, by their documentation and independently of the tested code. */
export function refusals(fn: AppFunction): string[] {
  const problems = TOOL_FORMATS.flatMap((format) => {
    const tool = toolOf(fn, format)
    return accepts[format](tool) ? [] : [`${fn.name} as ${format}: ${rules.errorsText(accepts[format].errors)} ${JSON.stringify(tool)}`]
  })
  const { inputSchema } = toolOf(fn, 'mcp')
  const { type, ...chat } = toolOf(fn, 'openai')
  if (JSON.stringify(toolOf(fn, 'openai-chat')) !== JSON.stringify({ type, function: chat })) problems.push(`${fn.name}: two OpenAI tools`)
  if (JSON.stringify(toolOf(fn, 'anthropic').input_schema) !== JSON.stringify(inputSchema)) problems.push(`${fn.name}: two schemas`)
  const schemas = [toolOf(fn, 'openai').parameters, inputSchema]
  for (const schema of schemas) {
    try {
      ajv.compile(schema)
    } catch (error) {
      problems.push(`${fn.name}: ${String(error)} ${JSON.stringify(schema)}`)
    }
    ajv.removeSchema(schema)
    problems.push(...innerRefusals(schema as Schema))
  }
  return problems
}

type Schema = { type?: unknown; properties?: Record<string, Schema>; required?: string[]; items?: Schema; $ref?: unknown; anyOf?: unknown }

/** Checks Anthropic's rule for keys, and that required keys exist and are unique. */
function innerRefusals(schema: Schema): string[] {
  const keys = Object.keys(schema.properties ?? {})
  const required = schema.required ?? []
  return [
    ...keys.filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key)),
    ...required.filter((key, at) => !keys.includes(key) || required.indexOf(key) !== at),
    ...('$ref' in schema || 'anyOf' in schema || schema.type === undefined ? ['$ref, anyOf or no type'] : []),
    ...Object.values(schema.properties ?? {}).flatMap(innerRefusals),
    ...(schema.items === undefined ? [] : innerRefusals(schema.items)),
  ]
}
