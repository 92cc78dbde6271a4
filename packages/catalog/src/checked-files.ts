import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compileSoundApp } from './compile-sound-app.ts'
import type { AppFile } from './file/app-file.ts'
import { readYaml } from './file/read-yaml.ts'

/**
 * The content of app files that were found to be valid when Onward was built, by the SHA-256 of their text. Parsing and checking the
 * built-in apps takes most of the time to start a service. A file that changed since then has another digest, so it is parsed and checked.
 */
export type CheckedFiles = Readonly<Record<string, AppFile>>

export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Checks the app files of a folder. Leaves out files with a rejected function, so that loading them reports it. */
export async function checkAppFiles(folder: string): Promise<CheckedFiles> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const valid = texts.filter((text) => {
    const { app, rejected } = compileSoundApp(text, folder)
    return app !== null && rejected.length === 0
  })
  return Object.fromEntries(valid.map((text) => [digestOf(text), readYaml(text, folder).value as AppFile]))
}

/** Reads what `checkAppFiles` returned, as JSON. Returns nothing for a file that does not exist: sources that were not built have none. */
export async function readCheckedFiles(path: string | undefined): Promise<CheckedFiles> {
  if (path === undefined) return {}
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw err
  }
}
