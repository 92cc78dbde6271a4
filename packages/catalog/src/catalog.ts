import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CheckedFiles, digestOf, readCheckedFiles } from './checked-files.ts'
import { compileApp, compileChecked } from './compile-app.ts'
import { compileSoundApp, type SoundApp, unusable } from './compile-sound-app.ts'
import { CatalogError } from './problems.ts'
import type { App, Catalog, RejectedFunction } from './types.ts'

/** Makes a catalog of apps. Throws a CatalogError when two apps or two functions have the same name or, rarely, the same id. */
export function makeCatalog(apps: readonly App[], rejected: readonly RejectedFunction[] = []): Catalog {
  const sortedApps = [...apps].sort(byName)
  const functions = sortedApps.flatMap((app) => app.functions).sort(byName)
  const problems = [...clashes('app', sortedApps), ...clashes('function', functions)]
  if (problems.length > 0) throw new CatalogError(problems)
  const appsByName = new Map(sortedApps.map((app) => [app.name, app]))
  const functionsByName = new Map(functions.map((fn) => [fn.name, fn]))
  return Object.freeze({
    apps: Object.freeze(sortedApps),
    functions: Object.freeze(functions),
    app: (name: string) => appsByName.get(name),
    fn: (name: string) => functionsByName.get(name),
    rejected: Object.freeze([...rejected]),
  })
}

/** Loads every `*.yaml` of the folders. Throws a CatalogError with the problems of all files. */
export async function loadCatalog(folders: readonly string[]): Promise<Catalog> {
  const files = (await Promise.all(folders.map(listFiles))).flat()
  const read = await Promise.all(files.map(async (file) => compileOrProblems(await readFile(file, 'utf8'), file)))
  const problems = read.flatMap((result) => (result instanceof CatalogError ? result.problems : []))
  if (problems.length > 0) throw new CatalogError(problems)
  return makeCatalog(read.filter((result): result is App => !(result instanceof CatalogError)))
}

/** Returns the app files of a folder. */
export async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name))
}

function compileOrProblems(text: string, file: string): App | CatalogError {
  try {
    return compileApp(text, file)
  } catch (err) {
    if (err instanceof CatalogError) return err
    throw err
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

function clashes(kind: string, items: readonly { id: number; name: string }[]): string[] {
  const names = new Set<string>()
  const ids = new Map<number, string>()
  return items.flatMap(({ id, name }) => {
    const other = ids.get(id)
    const problem = names.has(name) ? `two ${kind}s are named ${name}` : other && `the ${kind}s ${other} and ${name} have the same id`
    names.add(name)
    ids.set(id, name)
    return problem ? [problem] : []
  })
}

/**
 * Loads every `*.yaml` of the folders and leaves out rejected functions and apps. Throws only when a folder cannot be read. Files that
 * `checkedFile` contains are not parsed and checked again; see `checked-files.ts`.
 */
export async function loadSoundCatalog(folders: readonly string[], checkedFile?: string): Promise<Catalog> {
  const checked = await readCheckedFiles(checkedFile)
  const files = (await Promise.all(folders.map(listFiles))).flat()
  return joinSound(await Promise.all(files.map(async (file) => ({ file, ...(await readSoundApp(file, checked)) }))))
}

async function readSoundApp(file: string, checked: CheckedFiles): Promise<SoundApp> {
  try {
    const text = await readFile(file, 'utf8')
    const known = checked[digestOf(text)]
    return known === undefined ? compileSoundApp(text, file) : { app: compileChecked(known), rejected: [] }
  } catch (err) {
    const { code } = err as NodeJS.ErrnoException
    if (code === undefined) throw err
    return unusable(file, [`${file}: cannot be read (${code})`])
  }
}

/** Leaves out an app that has a name or id in common with an earlier one. */
function joinSound(read: readonly (SoundApp & { readonly file: string })[]): Catalog {
  const rejected: RejectedFunction[] = read.flatMap((each) => each.rejected)
  const apps = read.flatMap(({ app, file }) => (app === null ? [] : [{ app, file }]))
  try {
    return makeCatalog(
      apps.map(({ app }) => app),
      rejected,
    )
  } catch (err) {
    if (!(err instanceof CatalogError)) throw err
  }
  const kept: App[] = []
  for (const { app, file } of apps) {
    try {
      makeCatalog([...kept, app])
      kept.push(app)
    } catch (err) {
      if (!(err instanceof CatalogError)) throw err
      rejected.push({ app: app.name, function: null, problems: err.problems.map((problem) => `${file}:1: ${problem}`) })
    }
  }
  return makeCatalog(kept, rejected)
}
