import { type AppFile, CatalogError, compileSoundAppFile } from '@onward/catalog'
import { reportServers } from './app/servers.ts'
import { type FetchText, GIVEN_TEXT, loadDocuments } from './documents/load-documents.ts'
import { readSpec } from './documents/read-spec.ts'
import type { Operation, Spec } from './documents/spec.ts'
import { objectAt } from './json.ts'
import { makeApp, type Outcomes } from './make-app.ts'
import { nameOperations } from './names/name-operations.ts'
import { OptionError } from './option-error.ts'
import { type ImportReport, writeReport } from './report.ts'

export type ImportOptions = {
  /** Name of the app. Every function name begins with it. */
  readonly name: string
  /** Tags, path prefixes, operationIds, or operations such as `GET /pets`. When empty, all operations are imported. */
  readonly include?: readonly string[]
  /** The same, for operations that are left out. */
  readonly exclude?: readonly string[]
  /** Replaces the servers of the document. */
  readonly baseUrl?: string
  /** The app file of the last import. Function names stay the same, and the report lists what changed. */
  readonly previous?: AppFile
  readonly fetchText: FetchText
  /** Receives a progress message every 50 operations. */
  readonly onProgress?: (text: string) => void
}

/** `file` is null when the document contains nothing to import; the notes of the report say why. */
export type Imported = { readonly file: AppFile | null; readonly report: ImportReport }

const MAX_APP_NAME = 40
const MAX_UNKNOWN = 20

/** Like `importOpenApi`, for the text of a document. References to other documents are not followed: the operations with them are skipped. */
export async function importOpenApiText(text: string, options: Omit<ImportOptions, 'fetchText'>): Promise<Imported> {
  return await importOpenApi(GIVEN_TEXT, { ...options, fetchText: async () => text })
}

/**
 * Makes an app file from the OpenAPI document at a URL (`file:` for a file). An operation that cannot become a function is listed in the report
 * and does not affect the others. Throws a CatalogError with file and line when the document is broken or is not an OpenAPI document, and an
 * OptionError when an option is wrong.
 */
export async function importOpenApi(url: string, options: ImportOptions): Promise<Imported> {
  const started = performance.now()
  checkAppName(options.name)
  const documents = await loadDocuments(url, options.fetchText)
  const spec = readSpec(documents)
  const outcomes: Outcomes = { skipped: new Map(), changed: new Map() }
  const { include = [], exclude = [] } = options
  const selected = selectOperations(spec, include, exclude, outcomes)
  const notes = [...documents.notes, ...selectionNotes(spec, include, exclude, selected)]
  // All operations get a name, so that a name does not depend on which of them are included.
  const names = nameOperations(options.name, spec.operations, knownNames(options.previous, spec.operations))
  const app = await makeApp(spec, selected, names, options, notes, outcomes)
  const operations = new Map(selected.map((operation) => [names.get(operation.key) as string, operation]))
  const file = withoutRejected(app, operations, notes, outcomes)
  const servers = reportServers(spec, app.base_url)
  const facts = { version: spec.version, app, servers, names, all: spec.operations, lines: documents.lines, outcomes, notes, started }
  return { file, report: writeReport(file, options.previous, facts) }
}

function checkAppName(name: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= MAX_APP_NAME) return
  throw new OptionError(
    'name',
    `an app name has at most ${MAX_APP_NAME} lower-case letters, digits and single hyphens, for example help-desk`,
  )
}

function selectOperations(spec: Spec, include: readonly string[], exclude: readonly string[], { skipped }: Outcomes): Operation[] {
  const included = new Set(include)
  const excluded = new Set(exclude)
  return spec.operations.filter((operation) => {
    if (included.size > 0 && !selects(included, operation)) return false
    if (selects(excluded, operation)) {
      skipped.set(operation.key, ['is excluded'])
      return false
    }
    const named = included.has(operation.key) || (operation.id !== undefined && included.has(operation.id))
    if (operation.value.deprecated !== true || named) return true
    skipped.set(operation.key, ['is deprecated; include its operationId to import it'])
    return false
  })
}

/** Returns whether texts contain the key or the id of an operation, one of its tags, or the beginning of its path. */
function selects(texts: ReadonlySet<string>, { key, id, tags, path }: Operation): boolean {
  return (
    texts.has(key) ||
    (id !== undefined && texts.has(id)) ||
    tags.some((tag) => texts.has(tag)) ||
    pathsAbove(path).some((each) => texts.has(each))
  )
}

/** Returns the path and all paths above it, with and without a slash at the end: `/pets/{id}`, `/pets/`, `/pets`, `/`. */
function pathsAbove(path: string): string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => index)
  return [path, ...ends.flatMap((end) => [path.slice(0, end + 1), path.slice(0, end)])].filter((each) => each.startsWith('/'))
}

function selectionNotes(spec: Spec, include: readonly string[], exclude: readonly string[], selected: readonly Operation[]): string[] {
  const root = spec.documents.values.get(spec.documents.root)
  if (spec.operations.length === 0) {
    const webhooks = Object.keys(objectAt(root, 'webhooks')).length
    return [webhooks > 0 ? `the document has ${webhooks} webhooks but no operations to call` : 'the document has no operations']
  }
  const known = new Set(spec.operations.flatMap(({ key, id, tags, path }) => [key, id, ...tags, ...pathsAbove(path)]))
  const unknown = [...include, ...exclude].filter((text) => !known.has(text))
  const left = spec.operations.length - selected.length
  return [
    ...unknown.slice(0, MAX_UNKNOWN).map((text) => `${text} matches no operationId, tag, path or operation`),
    ...(include.length > 0 ? [`${left} of ${spec.operations.length} operations are not included`] : []),
  ]
}

/** Returns the app without the functions that do not compile or that a model vendor would refuse; null when none is left. */
function withoutRejected(
  app: AppFile,
  operations: ReadonlyMap<string, Operation>,
  notes: string[],
  { skipped, changed }: Outcomes,
): AppFile | null {
  if (Object.keys(app.functions).length === 0) return null
  const functions = { ...app.functions }
  for (const { function: name, problems } of compileSoundAppFile(app, app.name).rejected) {
    const phrase = name?.slice(app.name.length + 1) ?? ''
    const operation = operations.get(phrase)
    // The app as a whole does not compile. No document should lead to this.
    if (operation === undefined) throw new CatalogError(problems)
    skipped.set(
      operation.key,
      problems.map((problem) => problem.replace(/^[^ ]+: functions\.[^ .]+[.:] ?/, '')),
    )
    changed.delete(operation.key)
    delete functions[phrase]
  }
  if (Object.keys(functions).length > 0) return { ...app, functions }
  notes.push('no operation could become a function')
  return null
}

/** Returns the names that operations have from the last import, by operation key. Renamed path variables still match. */
function knownNames(previous: AppFile | undefined, operations: readonly Operation[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const [phrase, { request }] of Object.entries(previous?.functions ?? {})) {
    const key = shapeOf(request.method, request.path)
    // Two operations with the same method and path on two servers cannot be told apart, so neither keeps its name.
    names.set(key, names.has(key) ? '' : phrase)
  }
  return new Map(
    operations.flatMap(({ key, method, path }): [string, string][] => {
      const name = names.get(shapeOf(method, path.replace(/#.*$/s, '')))
      return name ? [[key, name]] : []
    }),
  )
}

function shapeOf(method: string, path: string): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`
}
