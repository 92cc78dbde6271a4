import { isUrl } from '@onward/catalog'
import { type JsonObject, listAt, member, objectAt, textAt } from '../json.ts'
import { inWords, plainText, splitWords } from '../text.ts'

type Settings = Readonly<Record<string, { readonly title: string; readonly description: string }>>

/** Where requests go. `settings` are what an account has to say for it. */
export type ServerAddress = { readonly url: string; readonly settings: Settings }

/** A host may hold an account's settings only before a fixed domain, or secrets could be sent anywhere. */
const safeHost = /^https:\/\/(?:[^/{}]*\{account\.[a-z0-9_]+\}[^/{}]*)*\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/|$)/i

/**
 * The address of one server of a document, relative ones taken against `base`, the document's own URL. A variable without fixed values in the
 * host becomes a setting of the account; every other one takes its default. Null when it is not https or its host is not known.
 */
export function readServer(server: unknown, base: string): ServerAddress | null {
  const template = textAt(server, 'url')
  if (template === undefined) return null
  const variables = objectAt(server, 'variables')
  const settings: Record<string, Settings[string]> = {}
  const [, scheme = '', host = '', rest = ''] = /^([a-z{][^/]*:\/\/)?([^/]*)(.*)$/is.exec(template.trim()) ?? []
  const named = scheme === '' ? '' : host
  const fill = (text: string) => text.replace(/\{([^{}]*)\}/g, (whole, name: string) => fixedValue(objectAt(variables, name)) ?? whole)
  const filled = named.replace(/\{([^{}]*)\}/g, (_, name: string) => hostPart(name, objectAt(variables, name), settings))
  const text = scheme === '' ? fill(template.trim()) : `${fill(scheme)}${filled}${fill(rest)}`
  const url = Object.keys(settings).length > 0 ? text : absolute(text, base)
  if (url === null || !/^https:\/\/[^/]/i.test(url) || /[?#\s\\]|\{(?!account\.)/.test(url)) return null
  if (Object.keys(settings).length > 0 && !safeHost.test(url)) return withDefaults(server as JsonObject, base)
  return { url: url.replace(/\/+$/, ''), settings }
}

function hostPart(name: string, variable: JsonObject, settings: Record<string, Settings[string]>): string {
  const fallback = fixedValue(variable)
  if (listAt(variable, 'enum').length > 0 && fallback !== undefined) return fallback
  const setting =
    splitWords(name)
      .join('_')
      .replace(/^(?=\d)/, 'n') || 'host'
  const description = plainText(textAt(variable, 'description') ?? `The ${splitWords(name).join(' ')} of your address.`, 300)
  settings[setting] = { title: inWords(name), description }
  return `{account.${setting}}`
}

/** A host that is nothing but a variable: its default is an address; any other may not be called with secrets. */
function withDefaults(server: JsonObject, base: string): ServerAddress | null {
  const variables = objectAt(server, 'variables')
  const url = (textAt(server, 'url') ?? '').replace(
    /\{([^{}]*)\}/g,
    (whole, name: string) => fixedValue(objectAt(variables, name)) ?? whole,
  )
  return /\{/.test(url) || !/^https:\/\/[^/.]+\.[^/]+/i.test(url) ? null : readServer({ url }, base)
}

function fixedValue(variable: JsonObject): string | undefined {
  const value = member(variable, 'default') ?? listAt(variable, 'enum')[0]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

function absolute(text: string, base: string): string | null {
  if (/^https:/i.test(text)) return isUrl(text) ? text : null
  if (!/^https?:/.test(base) || !isUrl(text, base)) return null
  return new URL(text, base).href
}
