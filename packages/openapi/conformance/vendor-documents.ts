import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CatalogError } from '@onward/catalog'
import { loadDocuments } from '../src/documents/load-documents.ts'
import { listAt, objectAt, textAt } from '../src/json.ts'
import { readSpec } from '../src/spec/read-spec.ts'
import type { Operation, Spec } from '../src/spec/spec.ts'
import { segmentsOf } from './segments.ts'

/** One place where an operation is offered: `host` and `path` with `{}` for each variable. */
export type Place = { readonly host: string; readonly path: readonly string[]; readonly operation: Operation; readonly spec: Spec }

/** A vendor's document: what it describes lies, on its hosts, below `scope`. */
export type VendorDocument = {
  readonly file: string
  readonly hosts: ReadonlySet<string>
  readonly scope: readonly string[]
  readonly places: readonly Place[]
}

/** The OpenAPI documents of a folder; other files are passed over. Throws a CatalogError for one that is broken. */
export async function readVendorDocuments(folder: string): Promise<VendorDocument[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:json|ya?ml)$/i.test(name)).sort()
  const documents: VendorDocument[] = []
  for (const name of names) {
    const loaded = await loadDocuments(pathToFileURL(join(folder, name)).href, async () => {
      throw new Error('is not in the folder')
    })
    const spec = read(() => readSpec(loaded, name))
    if (spec) documents.push(describe(name, spec))
  }
  return documents
}

function read(spec: () => Spec): Spec | null {
  try {
    return spec()
  } catch (error) {
    if (error instanceof CatalogError) return null
    throw error
  }
}

function describe(file: string, spec: Spec): VendorDocument {
  const places = spec.operations.flatMap((operation) => {
    const own = listAt(operation.value, 'servers')
    return (own.length > 0 ? own : spec.servers).flatMap((server) => placeOf(server, operation, spec))
  })
  return { file, hosts: new Set(places.map(({ host }) => host)), scope: commonStart(places.map(({ path }) => path)), places }
}

function placeOf(server: unknown, operation: Operation, spec: Spec): Place[] {
  const variables = objectAt(server, 'variables')
  // A variable of a few fixed values is a part of the address; any other may be anything.
  const url = (textAt(server, 'url') ?? '').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = objectAt(variables, name)
    return listAt(variable, 'enum').length > 0 || name === 'basePath' ? (textAt(variable, 'default') ?? '{}') : '{}'
  })
  const [, host, base = ''] = /^https?:\/\/([^/]+)(\/.*)?$/i.exec(url) ?? []
  // A host that is nothing but a variable tells no vendor from another.
  if (host === undefined || !/(?:^|\.)[a-z0-9-]+\.[a-z0-9-]+$/i.test(host)) return []
  return [{ host: host.toLowerCase(), path: segmentsOf(`${base}/${operation.path.replace(/#.*$/s, '')}`), operation, spec }]
}

/** What all paths begin with, up to the first variable: a document of a part of an API says nothing of the other parts. */
function commonStart(paths: readonly (readonly string[])[]): string[] {
  const [first = []] = paths
  const end = first.findIndex((segment, index) => segment.includes('{') || paths.some((path) => path[index] !== segment))
  return end < 0 ? [...first] : first.slice(0, end)
}
