import { type AppFile, type FunctionFile, versionOf } from '@onward/catalog'
import type { ReportedServer } from './app/servers.ts'
import type { Operation } from './documents/spec.ts'
import { textAt } from './json.ts'
import type { Outcomes } from './make-app.ts'
import { isDestructive } from './names/destructive.ts'
import { compareTexts, inWords, plainText } from './text.ts'

/** The result of an import. All lists are sorted. */
export type ImportReport = {
  readonly app: string
  readonly title: string
  /** OpenAPI version of the document. */
  readonly openapi: string
  readonly servers: readonly ReportedServer[]
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
  /** All operations of the document, selected or not, by path and method. */
  readonly operations: readonly ReportedOperation[]
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

/**
 * What became of an operation. `kept`: a function as the document describes it. `changed`: a function that differs from the document; the
 * reasons say how. `skipped`: no function; the other fields describe the function that it would become.
 */
type ReportedOperation = {
  /** Method and path, such as `POST /files`. */
  readonly operation: string
  readonly method: string
  readonly path: string
  /** The line in the document; null when it is unknown. */
  readonly line: number | null
  readonly outcome: 'kept' | 'changed' | 'skipped'
  readonly reasons: readonly string[]
  /** The name of the function. */
  readonly function: string
  readonly title: string
  readonly type: 'QUERY' | 'ACTION'
  readonly destructive: boolean
  /** Compared with the previous import; null when it was skipped. */
  readonly update: 'new' | 'changed' | 'unchanged' | null
}

type Facts = {
  readonly version: string
  readonly app: Pick<AppFile, 'name' | 'title'>
  readonly servers: readonly ReportedServer[]
  /** All operations of the document, and the names of their functions without the app's, by operation key. */
  readonly all: readonly Operation[]
  readonly names: ReadonlyMap<string, string>
  readonly lines: ReadonlyMap<string, number>
  readonly outcomes: Outcomes
  readonly notes: readonly string[]
  /** Value of performance.now(). */
  readonly started: number
}

const MAX_TITLE = 80

/** Writes the report of an import. `previous` is the app file of the last import. */
export function writeReport(file: AppFile | null, previous: AppFile | undefined, facts: Facts): ImportReport {
  const now = file?.functions ?? {}
  const before = previous?.functions ?? {}
  const phrases = Object.keys(now).sort(compareTexts)
  const kept = phrases.filter((phrase) => Object.hasOwn(before, phrase))
  const changed = kept.filter((phrase) => file && previous && differs(phrase, now[phrase] as FunctionFile, file, previous))
  const fullName = (phrase: string) => `${facts.app.name}-${phrase}`
  const added = phrases.filter((phrase) => !Object.hasOwn(before, phrase))
  const updates = new Map<string, ReportedOperation['update']>([
    ...phrases.map((phrase) => [phrase, 'unchanged'] as const),
    ...added.map((phrase) => [phrase, 'new'] as const),
    ...changed.map((phrase) => [phrase, 'changed'] as const),
  ])
  const paths = new Map(facts.all.map(({ key, path }) => [facts.names.get(key), path]))
  return {
    app: facts.app.name,
    title: facts.app.title,
    openapi: facts.version,
    servers: facts.servers,
    imported: phrases.length,
    added: added.map(fullName),
    changed: changed.map(fullName),
    unchanged: kept.length - changed.length,
    removed: Object.keys(before)
      .filter((phrase) => !Object.hasOwn(now, phrase))
      .map(fullName)
      .sort(compareTexts),
    skipped: [...facts.outcomes.skipped]
      .map(([operation, reasons]) => ({ operation, reasons }))
      .sort((a, b) => compareTexts(a.operation, b.operation)),
    functions: phrases.map((phrase) => {
      const definition = now[phrase] as FunctionFile
      return describe(fullName(phrase), definition, paths.get(phrase) ?? definition.request.path)
    }),
    operations: facts.all.map((operation) => {
      const phrase = facts.names.get(operation.key) as string
      const definition = Object.hasOwn(now, phrase) ? now[phrase] : undefined
      return { ...reportOperation(operation, phrase, definition, facts), function: fullName(phrase), update: updates.get(phrase) ?? null }
    }),
    notes: facts.notes,
    seconds: Math.round(performance.now() - facts.started) / 1000,
  }
}

function reportOperation(
  operation: Operation,
  phrase: string,
  definition: FunctionFile | undefined,
  { lines, outcomes }: Facts,
): Omit<ReportedOperation, 'function' | 'update'> {
  const { key, method, path, value } = operation
  const changes = outcomes.changed.get(key) ?? []
  const isQuery = method === 'GET' || method === 'HEAD'
  return {
    operation: key,
    method,
    path,
    line: lines.get(key) ?? null,
    outcome: definition === undefined ? 'skipped' : changes.length > 0 ? 'changed' : 'kept',
    reasons: definition === undefined ? (outcomes.skipped.get(key) ?? ['is not included']) : changes,
    title: definition?.title ?? (plainText(textAt(value, 'summary') ?? '', MAX_TITLE) || inWords(phrase)),
    type: isQuery ? 'QUERY' : 'ACTION',
    destructive: !isQuery && isDestructive(operation, phrase),
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
  const all = [...own, ...Object.entries(files ?? {}).map(([key, { multiple }]) => ({ name: key, type: multiple ? 'files' : 'file' }))]
  return {
    name,
    method: request.method,
    path,
    type,
    parameters: all.map((parameter) => ({ ...parameter, required: required.includes(parameter.name) })),
  }
}
