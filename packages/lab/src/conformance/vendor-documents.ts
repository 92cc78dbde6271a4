import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CatalogError } from '@onward/catalog'
import { listAt, loadDocuments, type Operation, objectAt, readSpec, type Spec, textAt } from '@onward/openapi/conformance'

/** An operation on one of its servers. `host` and `path` contain `{}` for each variable. */
export type Place = { readonly host: string; readonly path: readonly string[]; readonly operation: Operation; readonly spec: Spec }

/** A vendor's document. It describes the paths below `scope` on its hosts. */
export type VendorDocument = {
  readonly file: string
  readonly hosts: ReadonlySet<string>
  readonly scope: readonly string[]
  readonly places: readonly Place[]
}

/** Reads the OpenAPI documents of a folder and ignores other files. Throws a CatalogError for a document with a syntax error. */
export async function readVendorDocuments(folder: string): Promise<VendorDocument[]> {
  const names = (await readdir(folder)).filter((name) => /\.(?:json|ya?ml)$/i.test(name)).sort()
  const documents: VendorDocument[] = []
  for (const name of names) {
    const loaded = await loadDocuments(pathToFileURL(join(folder, name)).href, async () => {
      throw new Error('is not in the folder')
    })
    const spec = read(() => readSpec(loaded))
    if (spec) documents.push(describe(name, spec))
  }
  return documents
}

function read(spec: () => Spec): Spec | null {
  try {
    return spec()
  } catch (err) {
    if (err instanceof CatalogError) return null
    throw err
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
  // A variable with fixed values takes its default; any other matches everything.
  const url = (textAt(server, 'url') ?? '').replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = objectAt(variables, name)
    return listAt(variable, 'enum').length > 0 || name === 'basePath' ? (textAt(variable, 'default') ?? '{}') : '{}'
  })
  const [, host, base = ''] = /^https?:\/\/([^/]+)(\/.*)?$/i.exec(url) ?? []
  // A host that is only a variable does not identify a vendor.
  if (host === undefined || !/(?:^|\.)[a-z0-9-]+\.[a-z0-9-]+$/i.test(host)) return []
  return [{ host: host.toLowerCase(), path: segmentsOf(`${base}/${operation.path.replace(/#.*$/s, '')}`), operation, spec }]
}

/** Returns the common beginning of all paths, up to the first variable. A document may cover only a part of an API. */
function commonStart(paths: readonly (readonly string[])[]): string[] {
  const [first = []] = paths
  const end = first.findIndex((segment, index) => segment.includes('{') || paths.some((path) => path[index] !== segment))
  return end < 0 ? [...first] : first.slice(0, end)
}

/** Splits a path into segments and replaces each variable with `{}`. */
export function segmentsOf(path: string): string[] {
  return path
    .replace(/\{[^{}]*\}/g, '{}')
    .split('/')
    .filter((segment) => segment !== '')
}
