import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ShownApp } from './pages/parts.ts'
import type { ConnectParts } from './parts.ts'

/**
 * Returns the logo of an app as a `data:` URL: the file `icons/<app>.svg` in the folder of its app file. Undefined if there is none. A logo
 * is small, and the pages show few of them, so it is read each time.
 */
export async function findIcon(folders: readonly string[], app: string): Promise<string | undefined> {
  for (const folder of folders) {
    const svg = await readFile(join(folder, 'icons', `${app}.svg`), 'base64').catch(() => undefined)
    if (svg !== undefined) return `data:image/svg+xml;base64,${svg}`
  }
  return undefined
}

/** Returns what pages show of an app. An app that no longer exists has its name. */
export async function shownApp({ catalog, config }: Pick<ConnectParts, 'catalog' | 'config'>, name: string): Promise<ShownApp> {
  return { title: catalog.current.functions.app(name)?.title ?? name, icon: await findIcon(config.appFolders, name) }
}

/** Returns the logos of all apps as `data:` URLs, by the name of the app. */
export async function readIcons(folders: readonly string[]): Promise<Record<string, string>> {
  const found = await Promise.all(folders.map((folder) => readdir(join(folder, 'icons')).catch(() => [])))
  const apps = new Set(found.flat().flatMap((file) => (file.endsWith('.svg') ? [file.slice(0, -'.svg'.length)] : [])))
  const icons = await Promise.all([...apps].map(async (app) => [app, await findIcon(folders, app)] as const))
  return Object.fromEntries(icons.filter((icon): icon is [string, string] => icon[1] !== undefined))
}
