import { type AppFile, type FunctionFile, versionOf } from '@onward/catalog'
import type { Operation } from './documents/spec.ts'
import { compareTexts } from './text.ts'

/** The result of an import. All lists are sorted. */
export type ImportReport = {
  readonly app: string
  readonly title: string
  /** OpenAPI version of the document. */
  readonly openapi: string
  readonly imported: number
  /** Functions that the previous import did not have. */
  readonly added: readonly string[]
  /** Functions of the previous import whose definition is different now. */
  readonly changed: readonly string[]
  readonly unchanged: number
  /** Functions of the previous import that no longer exist. */
  readonly removed: readonly string[]
  /** Operations that did not become functions, such as `POST /files`, with the reasons. */
  readonly skipped: readonly { readonly operation: string; readonly reasons: readonly string[] }[]
  readonly functions: readonly ImportedFunction[]
  readonly notes: readonly string[]
  readonly seconds: number
}

type ImportedFunction = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly type: 'QUERY' | 'ACTION'
  readonly parameters: readonly { readonly name: string; readonly type: string; readonly required: boolean }[]
}

type Facts = {
  readonly version: string
  readonly app: Pick<AppFile, 'name' | 'title'>
  /** By the function's name without the app's. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly skipped: ReadonlyMap<string, readonly string[]>
  readonly notes: readonly string[]
  /** Value of performance.now(). */
  readonly started: number
}

/** Writes the report of an import. `previous` is the app file of the last import. */
export function writeReport(file: AppFile | null, previous: AppFile | undefined, facts: Facts): ImportReport {
  const now = Object.entries(file?.functions ?? {})
  const before = previous?.functions ?? {}
  const kept = now.filter(([phrase]) => Object.hasOwn(before, phrase))
  const changed = kept.filter(([phrase, definition]) => file && previous && differs(phrase, definition, file, previous))
  const fullName = (phrase: string) => `${facts.app.name}-${phrase}`
  return {
    app: facts.app.name,
    title: facts.app.title,
    openapi: facts.version,
    imported: now.length,
    added: now
      .filter(([phrase]) => !Object.hasOwn(before, phrase))
      .map(([phrase]) => fullName(phrase))
      .sort(compareTexts),
    changed: changed.map(([phrase]) => fullName(phrase)).sort(compareTexts),
    unchanged: kept.length - changed.length,
    removed: Object.keys(before)
      .filter((phrase) => !Object.hasOwn(file?.functions ?? {}, phrase))
      .map(fullName)
      .sort(compareTexts),
    skipped: [...facts.skipped]
      .map(([operation, reasons]) => ({ operation, reasons }))
      .sort((a, b) => compareTexts(a.operation, b.operation)),
    functions: now
      .map(([phrase, definition]) => describe(fullName(phrase), definition, facts.operations.get(phrase)?.path ?? definition.request.path))
      .sort((a, b) => compareTexts(a.name, b.name)),
    notes: facts.notes,
    seconds: Math.round(performance.now() - facts.started) / 1000,
  }
}

/** Compares the parts that all functions share too: a new server address changes every function. */
function differs(phrase: string, definition: FunctionFile, file: AppFile, previous: AppFile): boolean {
  const { functions: _, ...shared } = file
  const { functions, ...sharedBefore } = previous
  return versionOf({ shared, definition }) !== versionOf({ shared: sharedBefore, definition: functions[phrase] })
}

function describe(name: string, { type, request, parameters, files }: FunctionFile, path: string): ImportedFunction {
  const required = parameters?.required ?? []
  const own = Object.entries(parameters?.properties ?? {}).map(([key, schema]) => ({ name: key, type: schema.type as string }))
  const all = [...own, ...Object.keys(files ?? {}).map((key) => ({ name: key, type: 'file' }))]
  return {
    name,
    method: request.method,
    path,
    type,
    parameters: all.map((parameter) => ({ ...parameter, required: required.includes(parameter.name) })),
  }
}
