import type { ValueSchema } from '@onward/catalog'
import type { ParameterMeta } from '@onward/contract'

type Field = ParameterMeta['ui']['ui_field']

const LONG_TEXTS: ReadonlySet<string> = new Set([
  ...['base64', 'body', 'comment', 'content', 'description', 'html', 'markdown', 'message', 'note', 'notes', 'text'],
])
/** A text that may be longer does not fit in one line. */
const LINE = 255

/**
 * The widget for a value, and what can be chosen in it. With `is_multiselect` the value is a list, each item of which is entered as the type
 * says. CUSTOM_FIELDS takes names and values of the user's own; an OBJECT's fields have a `meta` themselves.
 */
export function widgetOf(schema: ValueSchema, name: string, hasSource: boolean): Pick<Field, 'type' | 'is_multiselect' | 'options'> {
  const one = schema.type === 'array' ? (schema.items as ValueSchema) : schema
  return {
    type: hasSource ? 'DYNAMIC_DROPDOWN' : typeOf(one, name),
    is_multiselect: schema.type === 'array',
    options: (one.enum ?? []).map((id) => ({ id, value: String(id) })),
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
  if (maxLength !== undefined) return maxLength > LINE
  return format === undefined && LONG_TEXTS.has(name.toLowerCase().split(/[_-]/).at(-1) ?? '')
}
