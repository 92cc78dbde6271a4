import { type AppFile, CatalogError, compileSoundAppFile } from '@onward/catalog'
import { type FetchText, loadDocuments } from './documents/load-documents.ts'
import { readSpec } from './documents/read-spec.ts'
import type { Operation, Spec } from './documents/spec.ts'
import { objectAt } from './json.ts'
import { makeApp } from './make-app.ts'
import { knownNames } from './names/known-names.ts'
import { nameOperations } from './names/name-operations.ts'
import { type ImportReport, writeReport } from './report.ts'

export type ImportOptions = {
  /** Name of the app. Every function name begins with it. */
  readonly name: string
  /** Tags, path prefixes or operationIds. When empty, all operations are imported. */
  readonly include?: readonly string[]
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

/**
 * Makes an app file from the OpenAPI document at a URL (`file:` for a file). An operation that cannot become a function is listed in the report
 * and does not affect the others. Throws a CatalogError with file and line when the document is broken or is not an OpenAPI document.
 */
export async function importOpenApi(url: string, options: ImportOptions): Promise<Imported> {
  const started = performance.now()
  checkAppName(options.name)
  const documents = await loadDocuments(url, options.fetchText)
  const spec = readSpec(documents, options.name)
  const skipped = new Map<string, string[]>()
  const selected = selectOperations(spec, options.include ?? [], skipped)
  const notes = [...documents.notes, ...selectionNotes(spec, options.include ?? [], selected)]
  // All operations get a name, so that a name does not depend on which of them are included.
  const names = nameOperations(options.name, spec.operations, knownNames(options.previous, spec.operations))
  const app = await makeApp(spec, selected, names, options, notes, skipped)
  const operations = new Map(selected.map((operation) => [names.get(operation.key) as string, operation]))
  const file = withoutRejected(app, operations, notes, skipped)
  return { file, report: writeReport(file, options.previous, { version: spec.version, app, operations, skipped, notes, started }) }
}

function checkAppName(name: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= MAX_APP_NAME) return
  throw new CatalogError([
    `--name ${name}: an app name has at most ${MAX_APP_NAME} lower-case letters, digits and single hyphens, for example help-desk`,
  ])
}

function selectOperations(spec: Spec, include: readonly string[], skipped: Map<string, string[]>): Operation[] {
  return spec.operations.filter((operation) => {
    if (!selects(include, operation)) return false
    const named = include.some((text) => text === operation.id)
    if (operation.value.deprecated !== true || named) return true
    skipped.set(operation.key, ['is deprecated; --include with its operationId imports it'])
    return false
  })
}

/** Matches an operation by its id, by a tag, or by the beginning of its path. An empty list matches every operation. */
function selects(include: readonly string[], { id, tags, path }: Operation): boolean {
  const isBelow = (prefix: string) =>
    prefix.startsWith('/') && (path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`))
  return include.length === 0 || include.some((text) => text === id || tags.includes(text) || isBelow(text))
}

function selectionNotes(spec: Spec, include: readonly string[], selected: readonly Operation[]): string[] {
  const root = spec.documents.values.get(spec.documents.root)
  if (spec.operations.length === 0) {
    const webhooks = Object.keys(objectAt(root, 'webhooks')).length
    return [webhooks > 0 ? `the document has ${webhooks} webhooks but no operations to call` : 'the document has no operations']
  }
  const unknown = include.filter((text) => !spec.operations.some((operation) => selects([text], operation)))
  const left = spec.operations.length - selected.length
  return [
    ...unknown.map((text) => `--include ${text}: matches no operationId, tag or path`),
    ...(include.length > 0 ? [`${left} of ${spec.operations.length} operations are not included`] : []),
  ]
}

/** Returns the app without the functions that do not compile or that a model vendor would refuse; null when none is left. */
function withoutRejected(
  app: AppFile,
  operations: ReadonlyMap<string, Operation>,
  notes: string[],
  skipped: Map<string, string[]>,
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
    delete functions[phrase]
  }
  if (Object.keys(functions).length > 0) return { ...app, functions }
  notes.push('no operation could become a function')
  return null
}
