import { isUrl } from '@onward/catalog'
import type { Spec } from '../documents/spec.ts'
import { type JsonObject, listAt, member, objectAt, textAt, Unusable } from '../json.ts'
import { OptionError } from '../option-error.ts'
import { inWords, plainText, splitWords } from '../text.ts'
import { isDocumentSite, isPlaceholderHost, replacePlaceholders } from './placeholder-host.ts'

/** Used when the document has no usable server: each account enters its server's URL. */
const SELF_HOSTED: ServerAddress = {
  url: '{account.url}',
  settings: {
    url: { title: 'Server', description: 'URL of the server of this API, including the path that all its endpoints begin with.' },
  },
}

/** A server on this machine, which a developer names. A document that names one means the machine of its author. */
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?(?:\/[^?#\s\\{}]*)?$/i

/** Returns the server of an app: `asked` when given, or else the first usable server of the document. Adds remarks to `notes`. */
export function chooseServer(spec: Spec, asked: string | undefined, notes: string[]): ServerAddress {
  if (asked !== undefined) {
    const address = LOOPBACK.test(asked) ? { url: asked.replace(/\/+$/, ''), settings: {} } : readTemplate({ url: asked }, asked)
    if (address === null) {
      throw new OptionError('baseUrl', 'must be https:// with a host and optionally a path; http:// is only for localhost and 127.0.0.1')
    }
    return address
  }
  const { root } = spec.documents
  const servers = spec.servers.length > 0 ? spec.servers : [{ url: '/' }]
  const addresses = servers.map((server) => readServer(server, root))
  const found = addresses.find((address) => address !== null)
  if (found) {
    if (spec.servers.length === 0) notes.push(`the document names no server: requests go to ${found.url}, the origin of the document`)
    return found
  }
  const named = spec.servers.map((server) => textAt(server, 'url')).filter((url) => url !== undefined)
  const what = named.length > 0 ? `no usable https server (${named.slice(0, 3).join(', ')})` : 'no server'
  const own = named.find((url) => LOOPBACK.test(url))
  const given =
    own === undefined ? 'unless another base URL is given' : `unless a base URL is given; for the API on this machine, give ${own}`
  notes.push(`the document names ${what}: each account enters its own URL, ${given}`)
  return SELF_HOSTED
}

/** A server of the document. `reason` says why requests do not go there; it is null for the server that is used. */
export type ReportedServer = { readonly url: string; readonly reason: string | null }

/** Returns the servers of the document. `used` is the base_url of the app. */
export function reportServers(spec: Spec, used: string): ReportedServer[] {
  let found = false
  return spec.servers.flatMap((server) => {
    const url = textAt(server, 'url')
    if (url === undefined) return []
    const address = readServer(server, spec.documents.root)
    const isUsed = !found && address?.url === used
    found ||= isUsed
    const reason = address === null ? problemOf(server, spec.documents.root) : 'another server is used'
    return [{ url, reason: isUsed ? null : reason }]
  })
}

/** Returns why a server cannot be used. */
function problemOf(server: unknown, base: string): string {
  const address = readTemplate(server, base)
  if (address !== null) return 'its host is a placeholder, not the host of the API'
  const url = textAt(server, 'url') ?? ''
  if (/^http:/i.test(url)) return 'it is not https'
  if (!/^(?:https:|[a-z{<$][^/]*:)?\/\//i.test(url)) return 'it has no host'
  return 'it is not a fixed https address'
}

/** Returns the server of an operation when it differs from the app's, or else null. Throws Unusable when requests cannot be sent there. */
export function ownServer(operation: JsonObject, appUrl: string, root: string): { host: string; path: string } | null {
  const servers = listAt(operation, 'servers')
  if (servers.length === 0) return null
  const addresses = servers.map((server) => readServer(server, root))
  if (addresses.some((address) => address?.url === appUrl)) return null
  const fixed = addresses.find((address) => address !== null && Object.keys(address.settings).length === 0)
  if (!fixed) throw new Unusable('its own server is not a fixed https address')
  const { hostname, port, pathname } = new URL(fixed.url)
  if (port !== '') throw new Unusable('its own server has a port of its own')
  return { host: hostname, path: pathname.replace(/\/$/, '') }
}

type Settings = Readonly<Record<string, { readonly title: string; readonly description: string }>>

/** `settings` are the parts of the URL that each account enters. */
type ServerAddress = { readonly url: string; readonly settings: Settings }

/** A URL whose host contains settings only before a fixed domain. Otherwise an account could direct its secrets to any host. */
const SAFE_HOST = /^https:\/\/(?:[^/{}]*\{account\.[a-z0-9_]+\}[^/{}]*)*\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/|$)/i

/**
 * Returns the address of one server of a document, or null when it is not https or does not name the API's own host. A host that the reader has
 * to fill in would otherwise receive the credentials of accounts.
 */
function readServer(server: unknown, base: string): ServerAddress | null {
  const address = readTemplate(server, base)
  if (address === null) return null
  const settings = { ...address.settings }
  const [, host = '', path = ''] = /^https:\/\/([^/]*)(.*)$/i.exec(address.url) ?? []
  if (isPlaceholderHost(host)) return null
  const filled = replacePlaceholders(host, (label) => settingFor(label.replace(/^(?:your|my)[-_]?/i, ''), 'subdomain', undefined, settings))
  return { url: `https://${filled}${path}`, settings }
}

/**
 * Returns the address of one server; `base`, the URL of the document, resolves relative addresses. A host variable without fixed values becomes
 * a setting of the account, any other variable takes its default. Returns null when it is not https or has no fixed domain.
 */
function readTemplate(server: unknown, base: string): ServerAddress | null {
  // Documents also write variables as <name> or ${name}.
  const template = textAt(server, 'url')
    ?.trim()
    .replace(/<([^<>]*)>|\$\{([^{}]*)\}/g, (_, ...names) => `{${names[0] ?? names[1]}}`)
  if (template === undefined) return null
  const variables = objectAt(server, 'variables')
  const settings: Record<string, Settings[string]> = {}
  const fill = (text: string) => text.replace(/\{([^{}]*)\}/g, (whole, name: string) => fixedValue(objectAt(variables, name)) ?? whole)
  const [whole, scheme = 'https:', host = '', rest = ''] = /^([a-z{][^/]*:)?\/\/([^/]*)(.*)$/is.exec(template) ?? []
  const filled = host.replace(/\{([^{}]*)\}/g, (_, name: string) => hostPart(name, objectAt(variables, name), settings))
  const text = whole === undefined ? fill(template) : `${fill(scheme)}//${filled}${fill(rest)}`
  const url = Object.keys(settings).length > 0 ? text : absolute(text, base)
  if (url === null || !/^https:\/\/[^/]/i.test(url) || /[?#\s\\]|\{(?!account\.)/.test(url)) return null
  if (Object.keys(settings).length > 0 && !SAFE_HOST.test(url)) return null
  return { url: url.replace(/\/+$/, ''), settings }
}

function hostPart(name: string, variable: JsonObject, settings: Record<string, Settings[string]>): string {
  const fallback = fixedValue(variable)
  if (listAt(variable, 'enum').length > 0 && fallback !== undefined) return fallback
  return settingFor(name, 'host', textAt(variable, 'description'), settings)
}

/** Adds a setting for a part of a host and returns its tag. Without letters in `name`, the setting is called `fallback`. */
function settingFor(name: string, fallback: string, text: string | undefined, settings: Record<string, Settings[string]>): string {
  const words = /^(?:example\d*|x+|foo|bar|acme|sample|placeholder)?$/i.test(name) ? [fallback] : splitWords(name)
  const setting = words.join('_').replace(/^(?=\d)/, 'n') || fallback
  settings[setting] = { title: inWords(setting), description: plainText(text ?? `The ${words.join(' ')} of your address.`, 300) }
  return `{account.${setting}}`
}

function fixedValue(variable: JsonObject): string | undefined {
  const value = member(variable, 'default') ?? listAt(variable, 'enum')[0]
  return value === undefined || value === null || value === '' ? undefined : String(value)
}

/** Resolves an address of a document. One without a host means the origin of the document, unless others publish documents there. */
function absolute(text: string, base: string): string | null {
  if (/^https:/i.test(text)) return isUrl(text) ? text : null
  if (!/^https?:/.test(base) || !isUrl(text, base) || isDocumentSite(new URL(base).hostname)) return null
  return new URL(text, base).href
}
