import { type AppFile, type FunctionFile, isUrl } from '@onward/catalog'
import { readSecurity } from './app/security.ts'
import { chooseServer, ownServer } from './app/servers.ts'
import type { Operation, Spec } from './documents/spec.ts'
import { makeFunction } from './function/make-function.ts'
import { objectAt, textAt, Unusable } from './json.ts'
import { compareTexts, countOf, inWords, plainText } from './text.ts'

type Options = { readonly name: string; readonly baseUrl?: string; readonly onProgress?: (text: string) => void }

const PAUSE_EVERY = 50

/**
 * Makes an app file from the selected operations. `names` maps each operation key to the name of its function, without the app's name. An
 * operation that cannot become a function goes to `skipped` with its reasons.
 */
export async function makeApp(
  spec: Spec,
  operations: readonly Operation[],
  names: ReadonlyMap<string, string>,
  options: Options,
  notes: string[],
  skipped: Map<string, string[]>,
): Promise<AppFile> {
  const { url, settings } = chooseServer(spec, options.baseUrl, notes)
  const { auth, places } = readSecurity(spec, operations, notes)
  const hasAuth = Array.isArray(auth) || auth.type !== 'none'
  const hosts = new Set<string>()
  const droppedPatterns = new Set<string>()
  const functions: Record<string, FunctionFile> = {}
  for (const [index, operation] of operations.entries()) {
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) {
      options.onProgress?.(`${index + 1} of ${operations.length} operations`)
      // Let other work of the process run.
      await new Promise((resolve) => setImmediate(resolve))
    }
    try {
      const server = options.baseUrl === undefined ? ownServer(operation.value, url, spec.documents.root) : null
      const phrase = names.get(operation.key) as string
      functions[phrase] = makeFunction(operation, phrase, { resolve: spec.resolve, droppedPatterns, authPlaces: places, hasAuth, server })
      if (server) hosts.add(server.host)
    } catch (err) {
      if (!(err instanceof Unusable)) throw err
      skipped.set(operation.key, [err.message])
    }
  }
  for (const pattern of droppedPatterns) notes.push(`a pattern is left out, because RE2 does not support it: ${pattern.slice(0, 100)}`)
  const sorted = Object.fromEntries(Object.entries(functions).sort(([a], [b]) => compareTexts(a, b)))
  return {
    ...textsOf(spec, options.name),
    base_url: url,
    ...(hosts.size > 0 ? { hosts: [...hosts].sort(compareTexts) } : {}),
    auth,
    ...(Object.keys(settings).length > 0 ? { account_settings: settings } : {}),
    functions: distinctTexts(sorted),
  }
}

function textsOf({ info, docsUrl }: Spec, name: string) {
  const title = plainText(textAt(info, 'title') ?? '', 80) || name
  const description = plainText(textAt(info, 'description') ?? '', 300) || `Functions of ${title}.`
  const isLink = (url: string | undefined): url is string => url !== undefined && /^https:\/\/\S+$/.test(url) && isUrl(url)
  const icon = textAt(objectAt(info, 'x-logo'), 'url')
  return { name, title, description, ...(isLink(icon) ? { icon_url: icon } : {}), ...(isLink(docsUrl) ? { docs_url: docsUrl } : {}) }
}

/** Makes titles and descriptions unique: a repeated title becomes the name in words, a repeated description gets method and path. */
function distinctTexts(functions: Readonly<Record<string, FunctionFile>>): Record<string, FunctionFile> {
  const titles = countOf(Object.values(functions).map(({ title }) => title))
  const descriptions = countOf(Object.values(functions).map(({ description }) => description))
  return Object.fromEntries(
    Object.entries(functions).map(([phrase, definition]) => {
      const { title, description, request } = definition
      const repeated = (descriptions.get(description) ?? 0) > 1
      const texts = {
        title: (titles.get(title) ?? 0) > 1 ? inWords(phrase) : title,
        description: repeated ? `${description} (${request.method} ${request.path})` : description,
      }
      return [phrase, { ...definition, ...texts }]
    }),
  )
}
