import { compileAndCheck, parsedFile } from './compile-app.ts'
import type { AppFile, FunctionFile } from './file/app-file.ts'
import { checkShape } from './file/check-shape.ts'
import { type ParsedFile, readYaml } from './file/read-yaml.ts'
import { lintFunction } from './models/lint-function.ts'
import { CatalogError, type Report } from './problems.ts'
import type { App, RejectedFunction } from './types.ts'
import { deepFreeze } from './values/objects.ts'

/** The usable part of an app, and its rejected functions. `app` is null when the whole app is rejected. */
export type SoundApp = { readonly app: App | null; readonly rejected: readonly RejectedFunction[] }

/**
 * Compiles the text of an app file and leaves out rejected functions: those that do not compile or that a model vendor would refuse. A function
 * that uses a rejected one as a source stays, without that source.
 */
export function compileSoundApp(text: string, file: string): SoundApp {
  try {
    return compileSound(readYaml(text, file), nameOf(file))
  } catch (err) {
    if (!(err instanceof CatalogError)) throw err
    return unusable(file, err.problems)
  }
}

/** The result for a file that cannot be compiled at all. */
export function unusable(file: string, problems: readonly string[]): SoundApp {
  return { app: null, rejected: [{ app: nameOf(file), function: null, problems }] }
}

/** Like `compileSoundApp`, for a parsed app file. */
export function compileSoundAppFile(value: unknown, name: string): SoundApp {
  return compileSound(parsedFile(value, name), name)
}

/** Problems by the function's name without the app's. The key null is the app itself. */
type Found = Map<string | null, string[]>

function compileSound(parsed: ParsedFile, name: string): SoundApp {
  const rejected: RejectedFunction[] = []
  // Without the removed functions, the rest may have other problems, so it is compiled again until it has none.
  for (let value = parsed.value; ; ) {
    const found: Found = new Map()
    const app = compileOnce({ ...parsed, value }, found)
    if (found.size === 0) return { app: app && deepFreeze(app), rejected }
    const written: unknown = (value as Partial<AppFile> | null)?.name
    const appName = typeof written === 'string' ? written : name
    for (const [phrase, problems] of found) {
      rejected.push({ app: appName, function: phrase === null ? null : `${appName}-${phrase}`, problems })
    }
    if (found.has(null)) return { app: null, rejected }
    value = without(value as AppFile, found)
  }
}

/** Stops at the first stage that finds problems, because later stages rely on the earlier ones. */
function compileOnce({ value, problem }: ParsedFile, found: Found): App | null {
  const functions = (value as Partial<AppFile> | null)?.functions
  const report: Report = (path, what) => {
    const [part, phrase] = path
    const known = part === 'functions' && typeof phrase === 'string' && Object.hasOwn(functions ?? {}, phrase)
    const key = known ? phrase : null
    found.set(key, [...(found.get(key) ?? []), problem(path, what)])
  }
  checkShape(value, report)
  if (found.size > 0) return null
  const file = value as AppFile
  const app = compileAndCheck(file, new Set(), report)
  if (found.size > 0) return null
  for (const fn of app.functions) {
    for (const what of lintFunction(fn)) report(['functions', fn.name.slice(app.name.length + 1)], what)
  }
  return app
}

function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.yaml$/, '')
}

/** Returns the app file without some functions, and without references to them. */
function without(file: AppFile, phrases: ReadonlyMap<string | null, unknown>): AppFile {
  const kept = Object.entries(file.functions).filter(([phrase]) => !phrases.has(phrase))
  const { identity, ...rest } = file
  return {
    ...rest,
    ...(identity === undefined || phrases.has(identity.function) ? {} : { identity }),
    functions: Object.fromEntries(kept.map(([phrase, definition]) => [phrase, withoutSources(definition, phrases)])),
  }
}

function withoutSources(definition: FunctionFile, phrases: ReadonlyMap<string | null, unknown>): FunctionFile {
  if (definition.sources === undefined) return definition
  const kept = Object.entries(definition.sources).filter(([, source]) => !phrases.has(source.function))
  return { ...definition, sources: Object.fromEntries(kept) }
}
