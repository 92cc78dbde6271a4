import { isUtf8 } from 'node:buffer'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Terminal, UsageError } from './terminal.ts'

/** The addresses and keys that belong to one deployment. All are texts. */
export const PROFILE_FIELDS = [
  'functions_url',
  'insights_url',
  'app_key',
  'app_secret',
  'api_key',
  'console_url',
  'token',
  'functions_admin_url',
  'insights_admin_url',
  'admin_token',
] as const

export type Profile = { readonly [F in (typeof PROFILE_FIELDS)[number]]?: string }

/** What `onward login` stores. `current` is the profile of commands that name none. */
type Config = { readonly current: string | null; readonly profiles: Readonly<Record<string, Profile>> }

const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/** Returns the path of the file that stores the profiles; null if the environment names no home folder. */
export function configFile({ env }: Pick<Terminal, 'env'>): string | null {
  const home = env.HOME || env.USERPROFILE
  const folder = env.XDG_CONFIG_HOME || (home && join(home, '.config'))
  return folder ? join(folder, 'onward', 'config.json') : null
}

export async function readConfig(terminal: Pick<Terminal, 'env'>): Promise<Config> {
  const file = configFile(terminal)
  const text = file === null ? null : await readText(file)
  if (text === null) return { current: null, profiles: {} }
  try {
    const { current = null, profiles } = JSON.parse(text)
    if (typeof profiles === 'object' && profiles !== null) return { current, profiles }
  } catch {
    // The error below reports it.
  }
  throw new UsageError(`${file} is not valid: correct it, or delete it and log in again`)
}

/** Replaces the stored profiles. Only the user can read the file. */
export async function writeConfig(terminal: Pick<Terminal, 'env'>, config: Config): Promise<void> {
  const file = configFile(terminal)
  if (file === null) throw new UsageError('set HOME or XDG_CONFIG_HOME: the folder in which profiles are stored')
  await mkdir(dirname(file), { recursive: true, mode: PRIVATE_FOLDER })
  // A second file, because a file that exists keeps its mode, and another command may be reading it.
  const complete = `${file}.${process.pid}`
  await writeFile(complete, `${JSON.stringify(config, null, 2)}\n`, { mode: PRIVATE_FILE })
  await rename(complete, file)
}

/** Returns the content of a file; null if it does not exist. */
export async function readText(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return null
    throw new UsageError(`${file} cannot be read (${err.code})`)
  })
  return bytes && utf8Text(file, bytes)
}

/** Decodes UTF-8 without a byte order mark. Throws a UsageError that names the text as `what`, instead of replacing invalid bytes. */
export function utf8Text(what: string, bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new UsageError(`${what} is not valid UTF-8`)
  return bytes.toString('utf8').replace(/^\uFEFF/, '')
}
