import { watch } from 'node:fs'
import {
  type App,
  type Catalog,
  CatalogError,
  compileSoundAppFile,
  loadSoundCatalog,
  makeCatalog,
  type Quarantined,
  type SoundApp,
} from '@onward/catalog'
import { buildRanker, type Ranker } from '@onward/predict'
import { type Log, openLoop } from '@onward/runtime'
import type { Kysely } from 'kysely'
import { findImportedApp, selectImportedApps } from '../db/imported-apps.ts'
import type { Tables } from '../db/tables.ts'
import { compileFunctions, type Functions } from './functions.ts'
import { openQuarantineLog } from './quarantine-log.ts'

/** The catalog at one moment, with what is made from it. A request takes it once, so that all of its answer is of one catalog. */
type Snapshot = { readonly functions: Functions; readonly ranker: Ranker }

export type LiveCatalog = {
  readonly current: Snapshot
  /** Whether an app of this name came with a file of ours, so that none can be imported under it. */
  isBuiltIn(name: string): boolean
  /** What stands against importing an app: names that other apps have. */
  clashesOf(app: App): readonly string[]
  /** Takes in what was imported or removed. Other processes do so within a second. */
  refresh(): Promise<void>
  close(): Promise<void>
}

const POLL_MS = 1_000
/** Editors write a file in several steps. */
const SETTLE_MS = 150

type Options = { readonly db: Kysely<Tables>; readonly folders: readonly string[]; readonly watchFolders: boolean; readonly log: Log }

/** The apps of the folders and those imported into Postgres. What changes in either is taken in while calls go on. */
export async function openLiveCatalog({ db, folders, watchFolders, log }: Options): Promise<LiveCatalog> {
  const note = openQuarantineLog(log)
  let fromFiles = await loadSoundCatalog(folders)
  let imported: readonly ImportedApp[] = []
  let current = takeIn()

  function takeIn(): Snapshot {
    const snapshot = snapshotOf(fromFiles, imported)
    note(snapshot.functions.quarantined)
    return snapshot
  }

  // One after the other, so that what was read earlier never comes last.
  let refreshed = Promise.resolve()
  function refresh(): Promise<void> {
    const next = refreshed.then(readImported)
    refreshed = next.catch(() => {})
    return next
  }

  async function readImported(): Promise<void> {
    const stored = await selectImportedApps(db)
    const known = new Map(imported.map((each) => [each.name, each]))
    if (stored.length === known.size && stored.every(({ name, version }) => known.get(name)?.version === version)) return
    const next: ImportedApp[] = []
    for (const { name, version } of stored) {
      const before = known.get(name)
      next.push(before?.version === version ? before : { name, version, sound: await compileStored(db, name, log) })
    }
    imported = next
    current = takeIn()
  }

  async function reloadFiles(): Promise<void> {
    try {
      fromFiles = keepBroken(await loadSoundCatalog(folders), fromFiles)
      current = takeIn()
      log.info({ functions: current.functions.all.length }, 'the app files changed and were loaded again')
    } catch (err) {
      if (!(err instanceof CatalogError)) throw err
      log.error({ problems: err.problems }, 'the app files changed and can not be loaded; the catalog stays as it was')
    }
  }

  await refresh()
  const loop = openLoop(POLL_MS, refresh, log)
  const stopWatching = watchFolders
    ? watchAll(folders, () => reloadFiles().catch((err: unknown) => log.error({ err }, 'reload failed')))
    : () => {}
  return {
    get current() {
      return current
    },
    isBuiltIn: (name) => fromFiles.app(name) !== undefined,
    clashesOf: (app) => clashesOf(current.functions.apps, app),
    refresh,
    async close() {
      stopWatching()
      await loop.close()
    },
  }
}

type ImportedApp = { readonly name: string; readonly version: string; readonly sound: SoundApp }

/** An imported app was checked when it was stored; a newer Onward may refuse it all the same, which must not take the others down. */
async function compileStored(db: Kysely<Tables>, name: string, log: Log): Promise<SoundApp> {
  const stored = await findImportedApp(db, name)
  try {
    return stored === undefined ? { app: null, quarantined: [] } : compileSoundAppFile(JSON.parse(stored.file), name)
  } catch (err) {
    log.error({ err, app: name }, 'an imported app can not be used')
    return { app: null, quarantined: [] }
  }
}

/** An app whose file is broken as a whole stays as it was: somebody is writing it. */
function keepBroken(read: Catalog, before: Catalog): Catalog {
  const broken = read.quarantined.filter((each) => each.function === null && read.app(each.app) === undefined)
  const kept = new Set(broken.flatMap(({ app }) => before.app(app) ?? []))
  return makeCatalog([...read.apps, ...kept], read.quarantined)
}

function snapshotOf(fromFiles: Catalog, imported: readonly ImportedApp[]): Snapshot {
  const usable = imported.flatMap(({ sound: { app } }) => (app !== null && fromFiles.app(app.name) === undefined ? [app] : []))
  const quarantined = [...fromFiles.quarantined, ...imported.flatMap(({ sound }) => sound.quarantined)]
  const functions = compileFunctions(join(fromFiles, usable, quarantined))
  return Object.freeze({ functions, ranker: buildRanker(functions.all.map(({ fn }) => fn)) })
}

/** An app that came with a newer Onward may have the names of an imported one, which is then left out. */
function join(fromFiles: Catalog, imported: readonly App[], quarantined: readonly Quarantined[]): Catalog {
  const apps = [...fromFiles.apps]
  const clashing: Quarantined[] = []
  for (const app of imported) {
    const problems = clashesOf(apps, app)
    if (problems.length === 0) apps.push(app)
    else clashing.push({ app: app.name, function: null, problems })
  }
  return makeCatalog(apps, [...quarantined, ...clashing])
}

function clashesOf(apps: readonly App[], app: App): readonly string[] {
  try {
    makeCatalog([...apps.filter(({ name }) => name !== app.name), app])
    return []
  } catch (err) {
    if (err instanceof CatalogError) return err.problems
    throw err
  }
}

function watchAll(folders: readonly string[], onChange: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const watchers = folders.map((folder) =>
    watch(folder, () => {
      clearTimeout(timer)
      timer = setTimeout(onChange, SETTLE_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
