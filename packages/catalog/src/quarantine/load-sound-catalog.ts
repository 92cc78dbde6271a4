import { readFile } from 'node:fs/promises'
import { listFiles, makeCatalog } from '../catalog.ts'
import { CatalogError } from '../problems.ts'
import type { App, Catalog, Quarantined } from '../types.ts'
import { compileSoundApp, type SoundApp, unusable } from './compile-sound-app.ts'

/**
 * Reads every `*.yaml` of the folders, as `loadCatalog` does, but leaves out what is broken: see `Catalog.quarantined`. Throws only when a
 * folder can't be read.
 */
export async function loadSoundCatalog(folders: readonly string[]): Promise<Catalog> {
  const files = (await Promise.all(folders.map(listFiles))).flat()
  return join(await Promise.all(files.map(readSoundApp)))
}

async function readSoundApp(file: string): Promise<SoundApp> {
  try {
    return compileSoundApp(await readFile(file, 'utf8'), file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return unusable(file, [`${file}: can not be read (${code})`])
  }
}

/** Where two apps clash, the one that comes later is left out. */
function join(read: readonly SoundApp[]): Catalog {
  const quarantined: Quarantined[] = read.flatMap((each) => each.quarantined)
  const apps = read.flatMap(({ app }) => (app === null ? [] : [app]))
  try {
    return makeCatalog(apps, quarantined)
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error
  }
  const kept: App[] = []
  for (const app of apps) {
    try {
      makeCatalog([...kept, app])
      kept.push(app)
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error
      quarantined.push({ app: app.name, function: null, problems: error.problems })
    }
  }
  return makeCatalog(kept, quarantined)
}
