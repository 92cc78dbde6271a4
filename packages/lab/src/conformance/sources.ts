import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'

/** Documents of a vendor against which the functions of an app are checked. */
export type Source = {
  readonly kind: 'openapi' | 'discovery' | 'graphql' | 'permissions'
  /** Where each document is. The last part of the URL is its name in the folder of the app. */
  readonly documents: readonly string[]
  /** The version that the documents name themselves, or the day or commit of the copy. */
  readonly version: string
  /** Who published the copy, if that is not the vendor. */
  readonly copied_by?: string
  /** The documents describe only functions whose path begins with this. */
  readonly under?: string
  /** The API has a further host, which the documents do not name. */
  readonly any_host?: boolean
  /** The API takes the parameters of a query in the body too. */
  readonly query_in_body?: boolean
  readonly checked: string
}

const KEYS = new Set(['kind', 'documents', 'version', 'copied_by', 'under', 'any_host', 'query_in_body', 'checked'])

/** Reads `sources.yaml`: the sources by app. Throws an Error that names an app with an unknown or missing key. */
export async function readSources(path: string): Promise<ReadonlyMap<string, readonly Source[]>> {
  const file = parse(await readFile(path, 'utf8')) as Record<string, readonly Source[]>
  for (const [app, sources] of Object.entries(file)) {
    for (const source of sources) {
      const unknown = Object.keys(source).filter((key) => !KEYS.has(key))
      const complete = ['openapi', 'discovery', 'graphql', 'permissions'].includes(source.kind) && source.documents?.length > 0
      if (unknown.length > 0) throw new Error(`${path}: ${app}: unknown key ${unknown.join(', ')}`)
      if (!complete || !source.version || !/^\d{4}-\d\d-\d\d$/.test(source.checked)) {
        throw new Error(`${path}: ${app}: needs kind, documents, version and checked (a day)`)
      }
    }
  }
  return new Map(Object.entries(file))
}

/** Returns the name of a document in the folder of its app. */
export function fileOf(document: string): string {
  return decodeURIComponent(document.slice(document.lastIndexOf('/') + 1))
}
