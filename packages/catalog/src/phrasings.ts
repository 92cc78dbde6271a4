import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** What people type. `functions`: for each function, by its name. `cannot`: what people want of an app that none of its functions does, by app. */
export type PhrasingsOfApps = {
  readonly functions: ReadonlyMap<string, readonly string[]>
  readonly cannot: ReadonlyMap<string, readonly string[]>
}

/** Reads `phrasings/APP.json` of each folder of app files that has this folder. */
export async function readPhrasings(folders: readonly string[]): Promise<PhrasingsOfApps> {
  const functions = new Map<string, readonly string[]>()
  const cannot = new Map<string, readonly string[]>()
  for (const file of (await Promise.all(folders.map(listFiles))).flat()) {
    const app = basename(file, '.json')
    const read = JSON.parse(await readFile(file, 'utf8')) as PhrasingsFile
    for (const [name, typed] of Object.entries(read.functions)) functions.set(`${app}-${name}`, typed)
    cannot.set(app, read.cannot)
  }
  return { functions, cannot }
}

type PhrasingsFile = { readonly functions: Record<string, string[]>; readonly cannot: string[] }

async function listFiles(folder: string): Promise<string[]> {
  const inside = join(folder, 'phrasings')
  const names = await readdir(inside).catch((err: NodeJS.ErrnoException) => {
    if (err.code !== 'ENOENT') throw err
    return []
  })
  return names.filter((name) => name.endsWith('.json')).map((name) => join(inside, name))
}
