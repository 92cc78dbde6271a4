import type { ValueSchema } from '@onward/catalog'
import type { JsonObject } from '../json.ts'
import type { Field } from './field.ts'

/** What stands between the values of a list. */
const separators: Readonly<Record<string, readonly [text: string, name: string]>> = {
  spaceDelimited: [' ', 'spaces'],
  pipeDelimited: ['|', '|'],
  tabDelimited: ['\t', 'tabs'],
}

/** The field as its style writes it. What our requests can't put together from parts, the caller gives as one text. */
export function inStyle(field: Field, parameter: JsonObject, asJson: boolean): Field {
  const { type } = field.schema
  if (type !== 'array' && type !== 'object') return field
  if (field.place === 'header' && asJson) return field
  if (asJson) return asText(field, 'As JSON.')
  const style = String(parameter.style ?? (field.place === 'query' ? 'form' : 'simple'))
  const explode = parameter.explode ?? (style === 'form' || style === 'deepObject')
  if (field.place === 'path') return asText(field, type === 'array' ? 'Several values are separated by commas.' : 'As key,value pairs.')
  if (type === 'object') return style === 'deepObject' ? field : asText(field, 'As key,value pairs separated by commas.')
  if (field.place === 'header' || (style === 'form' && explode !== true)) return isList(field.schema) ? field : asText(field, 'As JSON.')
  // Some APIs write lists as they write objects: `expand[]=a&expand[]=b`.
  if (style === 'deepObject') return { ...field, explode: true, key: field.name.endsWith(']') ? field.name : `${field.name}[]` }
  const separator = explode === true ? undefined : separators[style]
  return separator === undefined ? { ...field, explode: true } : asText(field, `Several values are separated by ${separator[1]}.`)
}

function isList({ items }: ValueSchema): boolean {
  return items !== undefined && items.type !== 'object' && items.type !== 'array'
}

function asText(field: Field, how: string): Field {
  const { description, items } = field.schema
  const choices = items?.enum === undefined ? '' : ` Values: ${items.enum.slice(0, 20).join(', ')}.`
  const text = `${description === undefined ? '' : `${description.replace(/(?<![.!?…])$/, '.')} `}${how}${choices}`
  return { ...field, schema: { type: 'string', description: text } }
}
