import { Unusable } from '../unusable.ts'
import type { NamedField } from './field.ts'
import { bareName } from './read-parameters.ts'

/** The path of a request, and the fixed query that some documents write into it; its variables under the parameters' names; on another server, with that server's own path before. */
export function writePath(
  path: string,
  fields: readonly NamedField[],
  server: { readonly host: string; readonly path: string } | null,
): { path: string; host?: string; query?: Record<string, string> } {
  const names = new Map(fields.filter(({ place }) => place === 'path').map((field) => [field.name, field.parameter]))
  // Some documents tell operations of one path apart by what stands after #.
  const [bare = ''] = path.split('#')
  if (!bare.startsWith('/')) throw new Unusable('its path does not begin with /')
  const [own = '', query = ''] = bare.split('?')
  if (/[{}]/.test(query)) throw new Unusable('its path holds a query with variables')
  const fixed = query === '' ? {} : { query: Object.fromEntries(new URLSearchParams(query)) }
  const text = own.replace(/\{([^{}]+)\}/g, (_, name: string) => `{${names.get(bareName(name))}}`)
  if (/[{}]/.test(text.replace(/\{[^{}]*\}/g, ''))) throw new Unusable('its path has braces that hold no variable')
  return server === null ? { path: text, ...fixed } : { host: server.host, path: `${server.path}${text}`, ...fixed }
}
