import { join } from 'node:path'
import { PROFILE_FIELDS, type Profile, readConfig, readText } from './profiles.ts'
import { type GlobalOptions, NotLoggedInError, type Terminal, UsageError } from './terminal.ts'

export type Setting = (typeof PROFILE_FIELDS)[number]

/** The profile that reads the file which `npm start` writes into the working directory. */
export const LOCAL = 'local'
const DEV_FILE = '.onward/dev.json'

type Names = { readonly variable: string; readonly option?: 'functionsUrl' | 'insightsUrl'; readonly flag?: string }

/** The environment variable of each setting, and its option if it has one. */
const NAMES: Readonly<Record<Setting, Names>> = {
  functions_url: { variable: 'ONWARD_BASE_URL' },
  insights_url: { variable: 'ONWARD_INSIGHTS_URL' },
  app_key: { variable: 'ONWARD_APP_KEY' },
  app_secret: { variable: 'ONWARD_APP_SECRET' },
  api_key: { variable: 'ONWARD_API_KEY' },
  console_url: { variable: 'ONWARD_CONSOLE_URL' },
  token: { variable: 'ONWARD_TOKEN' },
  functions_admin_url: { variable: 'ONWARD_FUNCTIONS_ADMIN_URL', option: 'functionsUrl', flag: '--functions-url' },
  insights_admin_url: { variable: 'ONWARD_INSIGHTS_ADMIN_URL', option: 'insightsUrl', flag: '--insights-url' },
  admin_token: { variable: 'ONWARD_ADMIN_TOKEN' },
}

/** The secret that is sent to each address. */
const SECRET_OF: Readonly<Partial<Record<Setting, Setting>>> = {
  functions_url: 'app_secret',
  insights_url: 'api_key',
  console_url: 'token',
  functions_admin_url: 'admin_token',
  insights_admin_url: 'admin_token',
}

export const SECRETS: readonly Setting[] = ['app_secret', 'api_key', 'token', 'admin_token']

export type Settings = {
  readonly profile: string
  /** Where the profile is stored, for messages. */
  readonly file: string
  /** Each known setting, and where it comes from. */
  readonly known: Readonly<Partial<Record<Setting, { readonly value: string; readonly from: string }>>>
  /** The user of commands that name none. Only the file of `npm start` has one. */
  readonly userId: string | undefined
}

/** Returns the settings from options, the environment and the profile. The first source that has a setting provides it. */
export async function readSettings(terminal: Terminal, options: GlobalOptions): Promise<Settings> {
  const { profile, file, stored, userId } = await readProfile(terminal, options)
  const entries = PROFILE_FIELDS.flatMap((name): [Setting, { value: string; from: string }][] => {
    const { variable, option, flag = '' } = NAMES[name]
    const given = option && options[option]
    if (given !== undefined) return [[name, { value: given, from: flag }]]
    const set = terminal.env[variable]
    if (set) return [[name, { value: set, from: variable }]]
    // A secret from the environment must never be sent to an address from a file: the file may be of another deployment, or of an attacker.
    const secret = SECRET_OF[name]
    if (secret !== undefined && terminal.env[NAMES[secret].variable]) return []
    return stored[name] === undefined ? [] : [[name, { value: stored[name], from: file }]]
  })
  return { profile, file, known: withConsoleUrl(Object.fromEntries(entries), file), userId }
}

/** Adds the address of the console if it is missing: usually, one address serves it and area A. */
function withConsoleUrl(known: Settings['known'], file: string): Settings['known'] {
  const { console_url, functions_url, token } = known
  const isSafe = functions_url?.from !== file || token?.from === file
  return token === undefined || console_url !== undefined || !isSafe ? known : { ...known, console_url: functions_url }
}

type Chosen = { readonly profile: string; readonly file: string; readonly stored: Profile; readonly userId?: string }

async function readProfile(terminal: Terminal, options: GlobalOptions): Promise<Chosen> {
  const named = options.profile ?? (terminal.env.ONWARD_PROFILE || undefined)
  const config = named === LOCAL ? { current: null, profiles: {} } : await readConfig(terminal)
  const profile = named ?? config.current ?? LOCAL
  if (profile === LOCAL) {
    const { partner_api_key: api_key, user_id: userId, ...stored } = await readDevFile(terminal.cwd)
    return { profile, file: DEV_FILE, stored: { ...stored, api_key }, userId }
  }
  const stored = config.profiles[profile]
  if (stored === undefined) throw new NotLoggedInError(`there is no profile ${profile}: run onward login <url> --profile ${profile}`)
  return { profile, file: `profile ${profile}`, stored }
}

type DevFile = Omit<Profile, 'api_key'> & { readonly partner_api_key?: string; readonly user_id?: string }

async function readDevFile(cwd: string): Promise<DevFile> {
  try {
    return JSON.parse((await readText(join(cwd, DEV_FILE))) ?? '{}')
  } catch (err) {
    if (err instanceof UsageError) throw err
    throw new UsageError(`${DEV_FILE} is not valid JSON: run npm start again`)
  }
}

/** Returns a setting. Throws an error that says how to provide it. */
export function need({ known, profile, file }: Settings, name: Setting): string {
  const found = known[name]
  if (found !== undefined) return found.value
  const { variable, flag } = NAMES[name]
  const ways = flag === undefined ? variable : `${variable} or ${flag}`
  const secret = SECRET_OF[name]
  if (secret !== undefined && known[secret]?.from === NAMES[secret].variable) {
    throw new UsageError(`set ${ways}: ${file} is ignored when ${NAMES[secret].variable} is set`)
  }
  const login =
    profile === LOCAL ? 'log in with onward login, or run this command in the folder of npm start' : `log in again: ${file} has none`
  throw new NotLoggedInError(`set ${ways}, or ${login}`)
}

/** Opens a client at an address from the settings. An error of `open` means that it is not a URL, so the error names its source. */
export function openAt<T>(settings: Settings, name: Setting, open: (url: string) => T): T {
  const url = need(settings, name)
  try {
    return open(url)
  } catch (err) {
    throw new UsageError(`${settings.known[name]?.from}: ${(err as Error).message}`)
  }
}
