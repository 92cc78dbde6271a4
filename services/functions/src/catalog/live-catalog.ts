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
import { buildRanker, type Knowledge, type Ranker } from '@onward/predict'
import { type Log, openLoop } from '@onward/runtime'
import { findImportedApp, selectImportedApps } from '../db/imported-apps.ts'
import type { Db } from '../db/tables.ts'
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

type Options = {
  readonly db: Db
  readonly folders: readonly string[]
  readonly watchFolders: boolean
  readonly knowledge: Knowledge
  readonly log: Log
}

/**
 * The apps of the folders and those imported into Postgres. What changes in either is taken in while calls go on: the catalog before
 * answers until all that is made from the new one is there.
 */
export async function openLiveCatalog({ db, folders, watchFolders, knowledge, log }: Options): Promise<LiveCatalog> {
  const note = openQuarantineLog(log)
  let fromFiles = await loadSoundCatalog(folders)
  let imported = (await readImported(db, [], log)) ?? []
  let current = await snapshotOf(fromFiles, imported)

  async function snapshotOf(files: Catalog, others: readonly ImportedApp[]): Promise<Snapshot> {
    const functions = functionsOf(files, others)
    const ranker = await buildRanker(
      functions.all.map(({ fn }) => fn),
      knowledge,
    )
    note(functions.quarantined)
    return Object.freeze({ functions, ranker })
  }

  // One after the other, so that what was read earlier never comes last.
  let changed = Promise.resolve()
  function inTurn(change: () => Promise<void>): Promise<void> {
    const next = changed.then(change)
    changed = next.catch(() => {})
    return next
  }

  const refresh = () =>
    inTurn(async () => {
      const next = await readImported(db, imported, log)
      if (next === undefined) return
      current = await snapshotOf(fromFiles, next)
      imported = next
    })

  async function reloadFiles(): Promise<void> {
    try {
      const next = keepBroken(await loadSoundCatalog(folders), fromFiles)
      current = await snapshotOf(next, imported)
      fromFiles = next
      log.info({ functions: current.functions.all.length }, 'the app files changed and were loaded again')
    } catch (err) {
      if (!(err instanceof CatalogError)) throw err
      log.error({ problems: err.problems }, 'the app files changed and can not be loaded; the catalog stays as it was')
    }
  }

  const loop = openLoop(POLL_MS, refresh, log)
  const stopWatching = watchFolders
    ? watchAll(folders, () => inTurn(reloadFiles).catch((err: unknown) => log.error({ err }, 'reload failed')))
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
      await changed
    },
  }
}

type ImportedApp = { readonly name: string; readonly version: string; readonly sound: SoundApp }

/** The imported apps as they are now; undefined when nothing changed. */
async function readImported(db: Db, before: readonly ImportedApp[], log: Log): Promise<ImportedApp[] | undefined> {
  const stored = await selectImportedApps(db)
  const known = new Map(before.map((each) => [each.name, each]))
  if (stored.length === known.size && stored.every(({ name, version }) => known.get(name)?.version === version)) return undefined
  const now: ImportedApp[] = []
  for (const { name, version } of stored) {
    const same = known.get(name)
    now.push(same?.version === version ? same : { name, version, sound: await compileStored(db, name, log) })
  }
  return now
}

/** An imported app was checked when it was stored; a newer Onward may refuse it all the same, which must not take the others down. */
async function compileStored(db: Db, name: string, log: Log): Promise<SoundApp> {
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

function functionsOf(fromFiles: Catalog, imported: readonly ImportedApp[]): Functions {
  const usable = imported.flatMap(({ sound: { app } }) => (app !== null && fromFiles.app(app.name) === undefined ? [app] : []))
  const quarantined = [...fromFiles.quarantined, ...imported.flatMap(({ sound }) => sound.quarantined)]
  return compileFunctions(join(fromFiles, usable, quarantined))
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
