import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  type Documents,
  type JsonObject,
  listAt,
  loadDocuments,
  type Operation,
  objectAt,
  readSpec,
  type Spec,
  textAt,
} from '@onward/openapi/conformance'
import { openApiOf } from './discovery.ts'
import { fileOf, type Source } from './sources.ts'

/**
 * An operation on one of its servers. `host` and `path` contain `{}` for each variable; the last `own` segments of the path belong to the
 * operation. `host` is empty when the document does not name one.
 */
export type Place = {
  readonly host: string
  readonly path: readonly string[]
  readonly own: number
  readonly operation: Operation
  readonly spec: Spec
}

export type VendorDocument = { readonly document: string; readonly places: readonly Place[] }

/** Reads the OpenAPI or discovery documents of a source. Throws a CatalogError for a document that is missing or cannot be read. */
export async function readVendorDocuments(folder: string, { kind, documents }: Source): Promise<VendorDocument[]> {
  return await Promise.all(
    documents.map(async (document) => describe(document, readSpec(await load(join(folder, fileOf(document)), kind)))),
  )
}

async function load(path: string, kind: Source['kind']): Promise<Documents> {
  const root = pathToFileURL(path).href
  if (kind === 'discovery') return documentOf(openApiOf(JSON.parse(await readFile(path, 'utf8')) as JsonObject))
  return await loadDocuments(root, async () => {
    throw new Error('is not in the folder')
  })
}

/** Returns a document that refers to no other. */
export function documentOf(value: JsonObject): Documents {
  const root = 'document:///made'
  return { root, values: new Map([[root, value]]), missing: new Map(), homes: new WeakMap(), notes: [], lines: new Map() }
}

function describe(document: string, spec: Spec): VendorDocument {
  const places = spec.operations.flatMap((operation) => {
    const own = listAt(operation.value, 'servers')
    return (own.length > 0 ? own : spec.servers.length > 0 ? spec.servers : [{}]).map((server) => placeOf(server, operation, spec))
  })
  return { document, places }
}

function placeOf(server: unknown, operation: Operation, spec: Spec): Place {
  const variables = objectAt(server, 'variables')
  // A variable with fixed values takes its default; any other matches everything.
  const url = (textAt(server, 'url') ?? '').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = objectAt(variables, name)
    return listAt(variable, 'enum').length > 0 || name === 'basePath' ? (textAt(variable, 'default') ?? '{}') : '{}'
  })
  const [, host = '', base = ''] = /^https?:\/\/([^/]+)(\/.*)?$/i.exec(url) ?? []
  const own = segmentsOf(operation.path.replace(/[#?].*$/s, ''))
  // A host that is only a variable does not identify a vendor.
  const named = /(?:^|\.)[a-z0-9-]+\.[a-z0-9-]+$/i.test(host) ? host.toLowerCase() : ''
  return { host: named, path: [...segmentsOf(base), ...own], own: own.length, operation, spec }
}

/** Splits a path into segments and replaces each variable with `{}`. */
export function segmentsOf(path: string): string[] {
  return path
    .replace(/\{[^{}]*\}/g, '{}')
    .split('/')
    .filter((segment) => segment !== '')
}
