import type { AppFile, FunctionFile } from '@onward/catalog'
import { versionOf } from '@onward/catalog'
import { compareTexts } from './compare-texts.ts'
import type { ImportedFunction, ImportReport } from './report.ts'
import type { Operation } from './spec/spec.ts'

type Told = {
  readonly version: string
  readonly app: Pick<AppFile, 'name' | 'title'>
  /** By the part of a function's name after the app's. */
  readonly operations: ReadonlyMap<string, Operation>
  readonly skipped: ReadonlyMap<string, readonly string[]>
  readonly notes: readonly string[]
  /** As performance.now() gave it. */
  readonly started: number
}

/** Tells what an import did. `previous` is what was there before. */
export function writeReport(file: AppFile | null, previous: AppFile | undefined, told: Told): ImportReport {
  const now = Object.entries(file?.functions ?? {})
  const before = previous?.functions ?? {}
  const kept = now.filter(([phrase]) => Object.hasOwn(before, phrase))
  const changed = kept.filter(([phrase, definition]) => file && previous && differs(phrase, definition, file, previous))
  const fullName = (phrase: string) => `${told.app.name}-${phrase}`
  return {
    app: told.app.name,
    title: told.app.title,
    openapi: told.version,
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
    skipped: [...told.skipped]
      .map(([operation, reasons]) => ({ operation, reasons }))
      .sort((a, b) => compareTexts(a.operation, b.operation)),
    functions: now
      .map(([phrase, definition]) => describe(fullName(phrase), definition, told.operations.get(phrase)?.path ?? definition.request.path))
      .sort((a, b) => compareTexts(a.name, b.name)),
    notes: told.notes,
    seconds: Math.round(performance.now() - told.started) / 1000,
  }
}

/** What is shared by all functions of an app is a part of each: another address is another function. */
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
