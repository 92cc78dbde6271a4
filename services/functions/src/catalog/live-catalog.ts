import { watch } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import {
  type App,
  type AppFunction,
  type Catalog,
  CatalogError,
  compileSoundAppFile,
  loadSoundCatalog,
  makeCatalog,
  type RejectedFunction,
  readPhrasings,
  type SoundApp,
} from '@onward/catalog'
import { buildRanker, type Knowledge, type Ranker } from '@onward/predict'
import { type Log, lazy, openLoop } from '@onward/runtime'
import { findLastWritten, selectPhrasings } from '../db/function-phrasings.ts'
import { findImportedApp, selectImportedApps } from '../db/imported-apps.ts'
import type { Db } from '../db/tables.ts'
import { functionText } from './function-text.ts'
import { compileFunctions, type Functions } from './functions.ts'
import { type ImportProcesses, openImportProcesses } from './import-processes.ts'

/** A catalog and its ranker. A request reads `current` only once, so that its whole response comes from the same catalog. */
type Snapshot = {
  readonly functions: Functions
  /** Builds the ranker on the first use, in steps, so that other requests are served at the same time. */
  ranker(): Promise<Ranker>
}

export type LiveCatalog = {
  readonly current: Snapshot
  /** Returns whether an app of this name comes from an app file, so that no app can be imported under this name. */
  isBuiltIn(name: string): boolean
  /** Returns the names in an app that other apps already use, as problems. */
  clashesOf(app: App): readonly string[]
  /** Loads apps that were imported or removed. Other processes do this within a second. */
  refresh(): Promise<void>
  readonly convert: ImportProcesses['convert']
  close(): Promise<void>
}

const POLL_MS = 1_000
/** How often new phrasings are used while a model writes more of them: for a large app, it writes for minutes. */
const PHRASINGS_MS = 60_000
/** The number of functions to read before other work can run. */
const STEP = 500
/** Wait after the last change of a file: editors write a file in several steps. */
const SETTLE_MS = 150

type Options = {
  readonly db: Db
  readonly folders: readonly string[]
  readonly checkedFile: string | undefined
  readonly watchFolders: boolean
  /** The program that converts OpenAPI documents. */
  readonly importWorker: string
  readonly knowledge: () => Promise<Knowledge>
  readonly log: Log
}

/**
 * Loads the apps of the folders and the imported apps in Postgres, and reloads them when they change. Calls continue during a reload: the
 * old catalog is used until the new one is complete.
 */
export async function openLiveCatalog(options: Options): Promise<LiveCatalog> {
  const { db, folders, checkedFile, watchFolders, knowledge, log } = options
  const logRejected = openRejectionLog(log)
  let fromFiles = await loadSoundCatalog(folders, checkedFile)
  /** Whether a ranker was used. */
  let predicting = false
  let imported = (await readImported(db, [], log)) ?? []
  let { at: lastWritten } = await findLastWritten(db)
  let rankedAt = Number.NEGATIVE_INFINITY
  let current = await snapshotOf(functionsOf(fromFiles, imported))

  async function snapshotOf(functions: Functions): Promise<Snapshot> {
    const ranker = lazy(async () => {
      predicting = true
      const all = functions.all.map(({ fn }) => fn)
      const { functions: typed } = await readPhrasings(folders)
      const ofImports = all.filter(({ app }) => fromFiles.app(app.name) === undefined)
      const written = await readWritten(db, ofImports)
      return await buildRanker(all, await knowledge(), typed, new Map(written))
    })
    // Once a process predicts, no prediction waits for the ranker of a changed catalog.
    if (predicting) await ranker()
    logRejected(functions.rejected)
    return Object.freeze({ functions, ranker })
  }

  // Changes run one after the other, so that an earlier read never replaces a later one.
  let changed = Promise.resolve()
  function inTurn(change: () => Promise<void>): Promise<void> {
    const next = changed.then(change)
    changed = next.catch(() => {})
    return next
  }

  const refresh = () =>
    inTurn(async () => {
      const next = await readImported(db, imported, log)
      if (next === undefined) return await rankAgain()
      current = await snapshotOf(functionsOf(fromFiles, next))
      imported = next
    })

  /** Ranks with new phrasings of imported apps. */
  async function rankAgain(): Promise<void> {
    if (imported.length === 0) return
    const { at, settled } = await findLastWritten(db)
    if (at === lastWritten || (!settled && performance.now() - rankedAt < PHRASINGS_MS)) return
    current = await snapshotOf(current.functions)
    lastWritten = at
    rankedAt = performance.now()
  }

  async function reloadFiles(): Promise<void> {
    try {
      const next = keepEarlierVersions(await loadSoundCatalog(folders, checkedFile), fromFiles)
      current = await snapshotOf(functionsOf(next, imported))
      fromFiles = next
      log.info({ functions: current.functions.all.length }, 'the app files changed and were reloaded')
    } catch (err) {
      if (!(err instanceof CatalogError)) throw err
      log.error({ problems: err.problems }, 'the changed app files cannot be loaded; the catalog is unchanged')
    }
  }

  const loop = openLoop(POLL_MS, refresh, log)
  const processes = openImportProcesses(options.importWorker)
  const stopWatching = watchFolders
    ? watchAll(folders, () => inTurn(reloadFiles).catch((err: unknown) => log.error({ err }, 'the app files could not be reloaded')))
    : () => {}
  return {
    get current() {
      return current
    },
    isBuiltIn: (name) => fromFiles.app(name) !== undefined,
    clashesOf: (app) => clashesOf(current.functions.apps, app),
    refresh,
    convert: processes.convert,
    async close() {
      processes.close()
      stopWatching()
      await loop.close()
      await changed
    },
  }
}

type ImportedApp = { readonly name: string; readonly version: string; readonly sound: SoundApp }

/** Returns the imported apps; undefined when nothing changed. */
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

/** Returns the phrasings that a model wrote, by the names of the functions. */
async function readWritten(db: Db, functions: readonly AppFunction[]): Promise<(readonly [string, readonly string[]])[]> {
  const names = new Map<string, string[]>()
  for (const [number, fn] of functions.entries()) {
    if (number % STEP === STEP - 1) await setImmediate()
    const { hash } = functionText(fn)
    names.set(hash, [...(names.get(hash) ?? []), fn.name])
  }
  const written = await selectPhrasings(db, [...names.keys()])
  return written.flatMap(({ hash, phrasings }) => (names.get(hash) ?? []).map((name) => [name, phrasings] as const))
}

/** Compiles an imported app. It compiled when it was stored, but a newer version of Onward may reject it. Other apps still load. */
async function compileStored(db: Db, name: string, log: Log): Promise<SoundApp> {
  const stored = await findImportedApp(db, name)
  try {
    return stored === undefined ? { app: null, rejected: [] } : compileSoundAppFile(JSON.parse(stored.file), name)
  } catch (err) {
    log.error({ err, app: name }, 'an imported app could not be compiled')
    return { app: null, rejected: [] }
  }
}

/** Adds the earlier version of each app whose file does not load at all: its author may still be editing it. */
function keepEarlierVersions(read: Catalog, before: Catalog): Catalog {
  const broken = read.rejected.filter((each) => each.function === null && read.app(each.app) === undefined)
  const kept = new Set(broken.flatMap(({ app }) => before.app(app) ?? []))
  return makeCatalog([...read.apps, ...kept], read.rejected)
}

function functionsOf(fromFiles: Catalog, imported: readonly ImportedApp[]): Functions {
  const usable = imported.flatMap(({ sound: { app } }) => (app !== null && fromFiles.app(app.name) === undefined ? [app] : []))
  const rejected = [...fromFiles.rejected, ...imported.flatMap(({ sound }) => sound.rejected)]
  return compileFunctions(withImported(fromFiles, usable, rejected))
}

/** Adds imported apps, except apps whose name another app uses: a newer version of Onward may bring such an app. */
function withImported(fromFiles: Catalog, imported: readonly App[], rejected: readonly RejectedFunction[]): Catalog {
  const apps = [...fromFiles.apps]
  const taken = new Set(apps.flatMap(takenBy))
  const clashing: RejectedFunction[] = []
  for (const app of imported) {
    const own = takenBy(app)
    // Comparing an app with all others is slow if there are 10,000 functions.
    const problems = own.some((each) => taken.has(each)) ? clashesOf(apps, app) : []
    if (problems.length > 0) {
      clashing.push({ app: app.name, function: null, problems })
      continue
    }
    apps.push(app)
    for (const each of own) taken.add(each)
  }
  return makeCatalog(apps, [...rejected, ...clashing])
}

/** Returns the names and ids of an app and its functions, of which no other app may have one. */
function takenBy({ id, name, functions }: App): string[] {
  return [`app ${name}`, `app ${id}`, ...functions.flatMap((fn) => [`function ${fn.name}`, `function ${fn.id}`])]
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

/** Returns a function that logs rejected functions: each one once, and again when its problems change. */
function openRejectionLog(log: Log): (rejected: readonly RejectedFunction[]) => void {
  const logged = new Map<string, string>()
  return (rejected) => {
    for (const each of rejected) {
      const name = each.function ?? each.app
      const problems = each.problems.join('\n')
      if (logged.get(name) === problems) continue
      logged.set(name, problems)
      log.warn({ app: each.app, function: each.function, problems: each.problems }, 'a function or app is left out of the catalog')
    }
  }
}
