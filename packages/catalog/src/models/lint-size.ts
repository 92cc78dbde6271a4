import type { ValueSchema } from '../types.ts'

/** Over all of a function's parameters. Source: OpenAI, strict mode. */
const MOST = { properties: 5_000, characters: 120_000, choices: 1_000 }
/** An enum of texts with more values than `choices` may have this many characters. */
const LONG_ENUM = { choices: 250, characters: 15_000 }

type Size = { properties: number; characters: number; choices: number }

/** Problems with how much the parameters of a function hold. */
export function lintSize(parameters: ValueSchema): string[] {
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
