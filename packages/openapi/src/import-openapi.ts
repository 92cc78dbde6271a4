import type { AppFile, FunctionFile } from '@onward/catalog'
import { CatalogError, compileSoundAppFile, isUrl } from '@onward/catalog'
import { chooseServer } from './app/choose-server.ts'
import { ownServer } from './app/own-server.ts'
import { readSchemes } from './app/read-schemes.ts'
import { compareTexts } from './compare-texts.ts'
import { distinctTexts } from './distinct-texts.ts'
import { type FetchText, loadDocuments } from './documents/load-documents.ts'
import { objectAt, textAt } from './json.ts'
import { knownNames } from './known-names.ts'
import { nameOperations } from './names/name-operations.ts'
import type { ImportReport } from './report.ts'
import { makeFunction } from './request/make-function.ts'
import { namesOperation, selects } from './selects.ts'
import { readSpec } from './spec/read-spec.ts'
import type { Operation, Spec } from './spec/spec.ts'
import { plainText } from './text.ts'
import { Unusable } from './unusable.ts'
import { writeReport } from './write-report.ts'

export type ImportOptions = {
  /** Name of the app, the beginning of every function name. */
  readonly name: string
  /** Tags, path prefixes or operationIds; empty = all operations. */
  readonly include?: readonly string[]
  /** Where requests go, in place of the document's servers. */
  readonly baseUrl?: string
  /** What was imported under this name before: names stay, and the report tells what changed. */
  readonly previous?: AppFile
  readonly fetchText: FetchText
  /** Is told now and then how far it is. */
  readonly onProgress?: (text: string) => void
}

/** `file` is null when the document has nothing to import; the report's notes then say why. */
export type Imported = { readonly file: AppFile | null; readonly report: ImportReport }

const MAX_APP_NAME = 40
const PAUSE_EVERY = 50

/**
 * Makes an app file of the OpenAPI document at a URL (`file:` for a file). An operation that can't become a function is told in the report and
 * costs no other. Throws a CatalogError, naming document and place, when the document is broken or is no OpenAPI document.
 */
export async function importOpenApi(url: string, options: ImportOptions): Promise<Imported> {
  const started = performance.now()
  checkAppName(options.name)
  const documents = await loadDocuments(url, options.fetchText)
  const spec = readSpec(documents, options.name)
  const skipped = new Map<string, string[]>()
  const selected = selectOperations(spec, options.include ?? [], skipped)
  const notes = [...documents.notes, ...aboutSelection(spec, options.include ?? [], selected)]
  // Named over all operations, so that a name does not depend on which of them are included.
  const names = nameOperations(options.name, spec.operations, knownNames(options.previous, spec.operations))
  const app = await makeApp(spec, selected, names, options, notes, skipped)
  const operations = new Map(selected.map((operation) => [names.get(operation.key) as string, operation]))
  const file = withoutBroken(app, operations, notes, skipped)
  return { file, report: writeReport(file, options.previous, { version: spec.version, app, operations, skipped, notes, started }) }
}

function checkAppName(name: string): void {
  if (/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= MAX_APP_NAME) return
  throw new CatalogError([
    `--name ${name}: the name of an app is at most ${MAX_APP_NAME} small letters, digits and single hyphens, as help-desk`,
  ])
}

function selectOperations(spec: Spec, include: readonly string[], skipped: Map<string, string[]>): Operation[] {
  return spec.operations.filter((operation) => {
    if (!selects(include, operation)) return false
    const named = include.some((text) => namesOperation(text, operation))
    if (operation.value.deprecated !== true || named) return true
    skipped.set(operation.key, ['is deprecated; --include with its operationId imports it'])
    return false
  })
}

function aboutSelection(spec: Spec, include: readonly string[], selected: readonly Operation[]): string[] {
  const root = spec.documents.values.get(spec.documents.root)
  if (spec.operations.length === 0) {
    const webhooks = Object.keys(objectAt(root, 'webhooks')).length
    return [
      webhooks > 0 ? `the document has ${webhooks} webhooks and no operations: there is nothing to call` : 'the document has no operations',
    ]
  }
  const unknown = include.filter((text) => !spec.operations.some((operation) => selects([text], operation)))
  const left = spec.operations.length - selected.length
  return [
    ...unknown.map((text) => `--include ${text}: no operation has this id or tag, or a path below it`),
    ...(include.length > 0 ? [`${left} of ${spec.operations.length} operations are not included`] : []),
  ]
}

async function makeApp(
  spec: Spec,
  operations: readonly Operation[],
  names: ReadonlyMap<string, string>,
  options: ImportOptions,
  notes: string[],
  skipped: Map<string, string[]>,
): Promise<AppFile> {
  const { url, settings } = chooseServer(spec, options.baseUrl, notes)
  const { auth, places } = readSchemes(spec, operations, notes)
  const hasAuth = Array.isArray(auth) || auth.type !== 'none'
  const hosts = new Set<string>()
  const functions: Record<string, FunctionFile> = {}
  for (const [index, operation] of operations.entries()) {
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) await pause(() => options.onProgress?.(`${index + 1} of ${operations.length} operations`))
    try {
      const server = options.baseUrl === undefined ? ownServer(operation.value, url, spec.documents.root) : null
      const around = { resolve: spec.resolve, authPlaces: places, hasAuth, server }
      const phrase = names.get(operation.key) as string
      functions[phrase] = makeFunction(operation, phrase, around)
      if (server) hosts.add(server.host)
    } catch (error) {
      if (!(error instanceof Unusable)) throw error
      skipped.set(operation.key, [error.message])
    }
  }
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

/** Other work, and what is told of progress, gets its turn. */
async function pause(tell: () => void): Promise<void> {
  tell()
  await new Promise((resolve) => setImmediate(resolve))
}

/** The app without the functions that do not compile, or that a model would not take; null when none is left. */
function withoutBroken(
  app: AppFile,
  operations: ReadonlyMap<string, Operation>,
  notes: string[],
  skipped: Map<string, string[]>,
): AppFile | null {
  if (Object.keys(app.functions).length === 0) return null
  const { quarantined } = compileSoundAppFile(app, app.name)
  const functions = { ...app.functions }
  for (const { function: name, problems } of quarantined) {
    const phrase = name?.slice(app.name.length + 1) ?? ''
    const operation = operations.get(phrase)
    // The app itself: no document should lead to one that can't be.
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
