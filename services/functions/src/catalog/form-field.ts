import type { ValueSchema } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

type Field = ParameterMeta['ui']['ui_field']

/** A text gets a field with several lines if its name ends with one of these words, unless it has a maximum length or a format. */
const LONG_TEXTS: ReadonlySet<string> = new Set('base64 body comment content description html markdown message note notes text'.split(' '))
/** A text that may have more characters gets a field with several lines. */
const MAX_LINE = 255

/**
 * Returns the widget for a value and its options. With `is_multiselect` the value is a list, and the type applies to each item.
 * CUSTOM_FIELDS accepts any names and values; the fields of an OBJECT have their own `meta`.
 */
export function widgetOf(schema: ValueSchema, name: string, hasSource: boolean): Pick<Field, 'type' | 'is_multiselect' | 'options'> {
  const single = schema.type === 'array' ? (schema.items as ValueSchema) : schema
  return {
    type: hasSource ? 'DYNAMIC_DROPDOWN' : typeOf(single, name),
    is_multiselect: schema.type === 'array',
    options: (single.enum ?? []).map((id) => ({ id, value: String(id) })),
  }
}

function typeOf(schema: ValueSchema, name: string): Field['type'] {
  if (schema.enum !== undefined) return 'STATIC_DROPDOWN'
  switch (schema.type) {
    case 'boolean':
      return 'CHECKBOX'
    case 'object':
      return Object.keys(schema.properties ?? {}).length === 0 ? 'CUSTOM_FIELDS' : 'OBJECT'
    case 'array':
      return 'CUSTOM_FIELDS'
    case 'string':
      return isLong(schema, name) ? 'TEXTAREA' : 'TEXTFIELD'
    case 'number':
    case 'integer':
      return 'TEXTFIELD'
  }
}

function isLong({ maxLength, format }: ValueSchema, name: string): boolean {
  if (maxLength !== undefined) return maxLength > MAX_LINE
  return format === undefined && LONG_TEXTS.has(name.toLowerCase().split(/[_-]/).at(-1) ?? '')
}

const EXAMPLES: Readonly<Record<string, string>> = {
  email: 'name@example.com',
  uri: 'https://example.com',
  date: '2026-01-31',
  'date-time': '2026-01-31T09:00:00Z',
  time: '09:00:00Z',
}

const NUMBER_PATTERNS: Readonly<Record<string, string>> = { integer: '^-?[0-9]+$', number: '^-?[0-9]+(\\.[0-9]+)?$' }

/** Returns the title for a parameter without one: `due_date` becomes `Due date`. */
export function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the description without the sentence that tells a model to call the source function, because a form does that itself. */
export function descriptionOf({ description = '' }: ValueSchema, hasSource: boolean): string {
  return hasSource ? description.replace(/ Call `[^`]+` to get the available values\.$/, '') : description
}

/** Returns an example: the one after "such as" in the description, or one of the format. */
export function placeholderOf(schema: ValueSchema): string {
  if (schema.type !== 'string' || schema.enum !== undefined) return ''
  const [, quoted, word] = /\bsuch as (?:"([^"]+)"|([^\s"{}[\],;()]+))/.exec(schema.description ?? '') ?? []
  return quoted ?? word?.replace(/\.$/, '') ?? EXAMPLES[schema.format ?? ''] ?? ''
}

/** Returns the pattern that a field's text must match, and the message for a text that does not match. */
export function patternOf(schema: ValueSchema, title: string, description: string): { regex: string; regex_error_message: string } {
  if (schema.type === 'integer' || schema.type === 'number') {
    if (schema.enum !== undefined) return { regex: '', regex_error_message: '' }
    const kind = schema.type === 'integer' ? 'a whole number' : 'a number'
    return { regex: NUMBER_PATTERNS[schema.type] as string, regex_error_message: `${title} must be ${kind}${rangeOf(schema)}.` }
  }
  if (schema.pattern === undefined) return { regex: '', regex_error_message: '' }
  return { regex: schema.pattern, regex_error_message: `${title} does not have the right form. ${description}`.trim() }
}

function rangeOf({ minimum, maximum }: ValueSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, ${minimum} or more`
  return maximum === undefined ? '' : `, ${maximum} or less`
}
