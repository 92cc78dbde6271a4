import { type AppFile, type FunctionFile, isUrl } from '@onward/catalog'
import { readSecurity } from './app/security.ts'
import { chooseServer, ownServer } from './app/servers.ts'
import type { Operation, Spec } from './documents/spec.ts'
import { makeFunction } from './function/make-function.ts'
import { objectAt, textAt, Unusable } from './json.ts'
import { compareTexts, countOf, inWords, plainText } from './text.ts'

/** What happened to the operations, by operation key. Each has its reasons. */
export type Outcomes = {
  /** Did not become functions. */
  readonly skipped: Map<string, readonly string[]>
  /** Became functions that are in some way different from the document. */
  readonly changed: Map<string, readonly string[]>
}

type Options = { readonly name: string; readonly baseUrl?: string; readonly onProgress?: (text: string) => void }

const PAUSE_EVERY = 50

/**
 * Makes an app file from the selected operations. `names` maps each operation key to the name of its function, without the app's name. Adds
 * to `outcomes` the operations that cannot become functions or that become different.
 */
export async function makeApp(
  spec: Spec,
  operations: readonly Operation[],
  names: ReadonlyMap<string, string>,
  options: Options,
  notes: string[],
  outcomes: Outcomes,
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
      const made = makeFunction(operation, phrase, { resolve: spec.resolve, authPlaces: places, hasAuth, server })
      functions[phrase] = made.definition
      if (server) hosts.add(server.host)
      const changes = [...made.changes, ...[...made.droppedPatterns].map(droppedPattern)]
      if (changes.length > 0) outcomes.changed.set(operation.key, changes)
      for (const pattern of made.droppedPatterns) droppedPatterns.add(pattern)
    } catch (err) {
      if (!(err instanceof Unusable)) throw err
      outcomes.skipped.set(operation.key, [err.message])
    }
  }
  notes.push(...[...droppedPatterns].map(droppedPattern))
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

function droppedPattern(pattern: string): string {
  return `a pattern is left out, because RE2 does not support it: ${pattern.slice(0, 100)}`
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
