import type { Scheme } from '@onward/catalog'
import { textAt } from '../json.ts'
import { inWords, plainText, splitWords } from '../text.ts'
import type { NamedScheme } from './read-scheme.ts'

/** Keys that a request needs all of: fields of an account, placed in headers and query. */
export function severalKeys(keys: readonly NamedScheme[]): Scheme {
  const fields: Record<string, { title: string; description: string }> = {}
  const headers: Record<string, string> = {}
  const query: Record<string, string> = {}
  for (const { name, value } of keys) {
    const key = textAt(value, 'name') ?? name
    const words =
      splitWords(key)
        .join('_')
        .replace(/^(?=\d)/, 'key_') || 'key'
    const field = Object.hasOwn(fields, words) ? `${words}_${Object.keys(fields).length + 1}` : words
    fields[field] = { title: inWords(key), description: plainText(textAt(value, 'description') ?? `What goes as ${key}.`, 300) }
    if (value.in === 'header') headers[key] = `{${field}}`
    else query[key] = `{${field}}`
  }
  return {
    type: 'custom',
    fields,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
  }
}
