import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type AppFile, compileSoundApp, type FunctionFile, fingerprintFunction } from '@onward/catalog'
import { type JsonObject, readSpec, type Schemas } from '@onward/openapi/conformance'
import { buildClientSchema, buildSchema, type GraphQLSchema, type IntrospectionQuery } from 'graphql'
import { parse } from 'yaml'
import { compareOutput } from './compare-output.ts'
import { compareRequest } from './compare-request.ts'
import { compareScopes, scopesOf } from './compare-scopes.ts'
import { findOperation } from './find-operation.ts'
import { describeGraphql } from './graphql.ts'
import { KNOWN_FAULTS } from './known-faults.ts'
import { readPermissions } from './permissions.ts'
import { readExample } from './read-example.ts'
import { fileOf, type Source } from './sources.ts'
import { documentOf, type Place, readVendorDocuments, type VendorDocument } from './vendor-documents.ts'

type Finding = { readonly function: string; readonly problem: string }

export type CheckedApp = {
  readonly app: string
  readonly functions: number
  /** The functions that a document describes, with what was compared. */
  readonly checked: Readonly<Record<string, string>>
  /** The functions that read an example response of a document. */
  readonly examples: readonly string[]
  /** How many declared outputs were compared with a response of a document, and how many values in them. */
  readonly outputs: number
  readonly fields: number
  /** Differences that are the documents' fault. */
  readonly explained: number
  readonly findings: readonly Finding[]
  /** The scopes of the documents by function: alternatives, each the scopes that together are enough. */
  readonly scopes: Readonly<Record<string, readonly (readonly string[])[]>>
}

type Compared = {
  readonly fields: number | null
  readonly problems: readonly string[]
  readonly scopes?: readonly (readonly string[])[]
  readonly place?: Place
}

/**
 * Compares the functions of an app file with the vendor's documents in `<folder>/<app>`. Throws a CatalogError for a document that is missing or
 * cannot be read. A document that matches no function is a finding.
 */
export async function checkApp(appFile: string, sources: readonly Source[], folder: string): Promise<CheckedApp> {
  const text = await readFile(appFile, 'utf8')
  const app = parse(text) as AppFile
  const compiled = compileSoundApp(text, appFile).app?.functions ?? []
  const examples: string[] = []
  const readers = await Promise.all(sources.map((source) => openSource(app, source, join(folder, app.name))))
  const [permissions] = sources.flatMap(({ kind }, index) => (kind === 'permissions' ? (readers[index] ?? []) : []))
  const checked: Record<string, string> = {}
  const scopes: Record<string, readonly (readonly string[])[]> = {}
  const findings: Finding[] = []
  let [outputs, fields, explained] = [0, 0, 0]
  for (const [phrase, definition] of Object.entries(app.functions)) {
    const fn = withDefaults(app, definition)
    const granted = permissions?.(fn) ?? null
    const compared = readers.map((compare) => (compare === permissions ? null : compare(fn))).find((each) => each !== null)
    if (!compared) continue
    const found =
      granted === null ? compared : { ...compared, scopes: granted.scopes, problems: [...compared.problems, ...granted.problems] }
    checked[phrase] = fingerprintFunction(app, definition)
    if (found.scopes !== undefined && found.scopes.length > 0) scopes[phrase] = found.scopes
    if (found.fields !== null) outputs += 1
    fields += found.fields ?? 0
    const name = `${app.name}-${phrase}`
    const read =
      found.place &&
      readExample(
        definition,
        compiled.find((each) => each.name === name),
        found.place,
      )
    if (read) examples.push(phrase)
    const open = [...found.problems, ...(read?.problems ?? [])].filter((problem) => !isKnown(name, problem))
    explained += found.problems.length + (read?.problems.length ?? 0) - open.length
    findings.push(...open.map((problem) => ({ function: name, problem })))
  }
  for (const reader of readers) {
    findings.push(...reader.unused().map((document) => ({ function: app.name, problem: `${document} describes none of its functions` })))
  }
  const functions = Object.keys(app.functions).length
  return { app: app.name, functions, checked, examples, outputs, fields, explained, findings, scopes }
}

function withDefaults(app: AppFile, definition: FunctionFile): FunctionFile {
  const request = {
    ...definition.request,
    headers: { ...app.headers, ...definition.request.headers },
    body_type: definition.request.body_type ?? app.body_type,
  }
  return { ...definition, request } as FunctionFile
}

/** Compares a function with the documents of a source; null when they do not describe it. `unused` are documents that matched nothing. */
type Reader = ((fn: FunctionFile) => Compared | null) & { unused(): readonly string[] }

async function openSource(app: AppFile, source: Source, folder: string): Promise<Reader> {
  switch (source.kind) {
    case 'graphql':
      return await openGraphql(source, folder)
    case 'permissions':
      return await openPermissions(source, folder)
    default:
      return await openApi(app, source, folder)
  }
}

async function openApi(app: AppFile, source: Source, folder: string): Promise<Reader> {
  const read = await readVendorDocuments(folder, source)
  const documents = source.any_host ? read.map(withoutHosts) : read
  const used = new Set<VendorDocument>()
  const compare = (fn: FunctionFile): Compared | null => {
    if (fn.request.graphql !== undefined || !fn.request.path.startsWith(source.under ?? '')) return null
    const found = findOperation(app, fn, documents)
    if (found === 'outside') return null
    for (const document of documents) if (document.places.includes(found.place)) used.add(document)
    if (found.problem !== undefined) return { fields: null, problems: [found.problem] }
    const { place } = found
    const documented = scopesOf(place)
    const { fields, problems } = compareFunction(source.query_in_body ? bodyAsQuery(fn, place) : fn, place)
    return { fields, problems: [...problems, ...compareScopes(fn, documented)], scopes: documented, place }
  }
  const unused = () => documents.filter((each) => !used.has(each)).map(({ document }) => document)
  return Object.assign(compare, { unused })
}

/** Compares only the scopes. */
async function openPermissions({ documents }: Source, folder: string): Promise<Reader> {
  const [document = ''] = documents
  const permissionsOf = readPermissions(JSON.parse(await readFile(join(folder, fileOf(document)), 'utf8')) as JsonObject)
  let matched = false
  const read = (fn: FunctionFile): Compared | null => {
    const scopes = permissionsOf(fn).map((each) => [each])
    matched ||= scopes.length > 0
    return scopes.length === 0 ? null : { fields: null, problems: compareScopes(fn, scopes), scopes }
  }
  return Object.assign(read, { unused: () => (matched ? [] : documents) })
}

function withoutHosts({ document, places }: VendorDocument): VendorDocument {
  return { document, places: places.map((place) => ({ ...place, host: '' })) }
}

/** The operation names parameters of the query, but the API takes them in the body too. */
function bodyAsQuery(fn: FunctionFile, { operation }: Place): FunctionFile {
  const { body, ...request } = fn.request
  if (operation.value.requestBody !== undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return fn
  return { ...fn, request: { ...request, query: { ...request.query, ...body } } } as FunctionFile
}

async function openGraphql({ documents }: Source, folder: string): Promise<Reader> {
  const [document = ''] = documents
  const bytes = await readFile(join(folder, fileOf(document)))
  const schema = readSchema((document.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
  let matched = false
  const read = (fn: FunctionFile): Compared | null => {
    if (fn.request.graphql === undefined) return null
    matched = true
    const { operation, components, problems } = describeGraphql(fn, schema)
    if (problems.length > 0) return { fields: null, problems }
    return compareFunction({ ...fn, request: { ...fn.request, body: fn.request.variables } }, placeOf(operation, components))
  }
  return Object.assign(read, { unused: () => (matched ? [] : documents) })
}

function readSchema(text: string): GraphQLSchema {
  if (!text.trimStart().startsWith('{')) return buildSchema(text, { assumeValidSDL: true })
  const { data } = JSON.parse(text) as { data: IntrospectionQuery }
  return buildClientSchema(data)
}

function placeOf(operation: JsonObject, components: JsonObject): Place {
  const spec = readSpec(documentOf({ openapi: '3.0.0', components, paths: { '/graphql': { post: operation } } }))
  return { host: '', path: ['graphql'], own: 1, operation: spec.operations[0] as Place['operation'], spec }
}

function compareFunction(fn: FunctionFile, place: Place): Compared {
  const kept = { droppedPatterns: new Set<string>(), changes: new Set<string>() }
  const schemas = (): Schemas => ({ resolve: place.spec.resolve, maxDepth: 5, maxChoices: 200, budget: 20_000, ...kept })
  const { fields, problems } = compareOutput(fn, place, schemas())
  return { fields, problems: [...compareRequest(fn, place, schemas()), ...problems] }
}

function isKnown(name: string, problem: string): boolean {
  return KNOWN_FAULTS.some((fault) => says(fault.function, name) && says(fault.problem, problem))
}

function says(expected: string | RegExp, text: string): boolean {
  return typeof expected === 'string' ? text === expected : expected.test(text)
}
