import { compileParts, sourceOf } from '../compile-app.ts'
import { deepFreeze } from '../deep-freeze.ts'
import type { AppFile } from '../file/app-file.ts'
import { checkShape } from '../file/check-shape.ts'
import { readYaml, type Source } from '../file/read-yaml.ts'
import { lintFunction } from '../models/lint-function.ts'
import { CatalogError, type Report } from '../problems.ts'
import type { App, Quarantined } from '../types.ts'
import { without } from './without.ts'

/** The part of an app that can be used, and what was left out. `app` is null when nothing can be used. */
export type SoundApp = { readonly app: App | null; readonly quarantined: readonly Quarantined[] }

/**
 * Compiles the text of an app file, but leaves out the functions that do not compile or that a model vendor would refuse. Functions that took
 * values from one of those stay, without that source.
 */
export function compileSoundApp(text: string, file: string): SoundApp {
  try {
    return compileSound(readYaml(text, file), nameOf(file))
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
    return unusable(file, error.problems)
  }
}

/** What becomes of a file that no app can be made from. */
export function unusable(file: string, problems: readonly string[]): SoundApp {
  return { app: null, quarantined: [{ app: nameOf(file), function: null, problems }] }
}

/** As `compileSoundApp`, of an app that has been parsed already. */
export function compileSoundAppFile(value: unknown, name: string): SoundApp {
  return compileSound(sourceOf(value, name), name)
}

/** What is wrong, by function; under null what is wrong with the app itself. */
type Found = Map<string | null, string[]>

function compileSound(source: Source, name: string): SoundApp {
  const quarantined: Quarantined[] = []
  // Without what was left out, what is wrong with the rest may be another thing: it is looked at anew.
  for (let value = source.value; ; ) {
    const found: Found = new Map()
    const app = compileOnce({ ...source, value }, found)
    if (found.size === 0) return { app: app && deepFreeze(app), quarantined }
    const written: unknown = (value as Partial<AppFile> | null)?.name
    const appName = typeof written === 'string' ? written : name
    for (const [phrase, problems] of found) {
      quarantined.push({ app: appName, function: phrase === null ? null : `${appName}-${phrase}`, problems })
    }
    if (found.has(null)) return { app: null, quarantined }
    value = without(value as AppFile, found)
  }
}

/** Stops at the first stage that finds something: the stages after it take for granted what that one checks. */
function compileOnce({ value, problem }: Source, found: Found): App | null {
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
  const app = compileParts(file, new Set(), report)
  if (found.size > 0) return null
  for (const fn of app.functions) {
    for (const what of lintFunction(fn)) report(['functions', fn.name.slice(app.name.length + 1)], what)
  }
  return app
}

function nameOf(file: string): string {
  return file.replace(/^.*[\\/]/, '').replace(/\.yaml$/, '')
}
