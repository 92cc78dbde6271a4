import type { ValueSchema } from '@onward/catalog'

const EXAMPLES: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00Z',
}

const FORMS: Readonly<Record<string, string>> = { integer: '^-?[0-9]+$', number: '^-?[0-9]+(\\.[0-9]+)?$' }

export function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The description without what only models can use: a form calls the source by itself. */
export function descriptionOf({ description = '' }: ValueSchema, hasSource: boolean): string {
  return hasSource ? description.replace(/ Call `[^`]+` to get the available values\.$/, '') : description
}

/** An example: the one that the description names after "such as", or one of the format. */
export function placeholderOf(schema: ValueSchema): string {
  if (schema.type !== 'string' || schema.enum !== undefined) return ''
  const [, quoted, word] = /\bsuch as (?:"([^"]+)"|([^\s"{}[\],;()]+))/.exec(schema.description ?? '') ?? []
  return quoted ?? word?.replace(/\.$/, '') ?? EXAMPLES[schema.format ?? ''] ?? ''
}

/** What the text in a field must match, and what to tell a user when it does not. */
export function formOf(schema: ValueSchema, title: string, description: string): { regex: string; regex_error_message: string } {
  if (schema.type === 'integer' || schema.type === 'number') {
    if (schema.enum !== undefined) return { regex: '', regex_error_message: '' }
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number'
    return { regex: FORMS[schema.type] as string, regex_error_message: `${title} must be ${kind}${rangeOf(schema)}.` }
  }
  if (schema.pattern === undefined) return { regex: '', regex_error_message: '' }
  return { regex: schema.pattern, regex_error_message: `${title} does not have the right form. ${description}`.trim() }
}

function rangeOf({ minimum, maximum }: ValueSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  return maximum === undefined ? '' : `, ${maximum} or less`
}
