import { adminClient, type Target } from '@onward/contract-client'
import { type ConsoleApi, openConsole, readHolder } from './console.ts'
import { need, openAt, readSettings, type Settings } from './settings.ts'
import type { GlobalOptions, Terminal } from './terminal.ts'

/**
 * Returns the admin API of a service: at the address of the console with a token, or at the internal address with the admin token. Throws a
 * UsageError that names the missing setting.
 */
export async function adminOf(service: 'functions' | 'insights', terminal: Terminal, options: GlobalOptions): Promise<Target> {
  const settings = await readSettings(terminal, options)
  if (usesToken(settings, options)) return consoleOf(terminal, settings)[service]
  const token = need(settings, 'admin_token')
  return openAt(settings, `${service}_admin_url`, (url) => adminClient({ url, token }))
}

/** Returns the workspace to which the token is restricted; undefined for the token of an operator, and for the admin token. */
export async function ownWorkspace(terminal: Terminal, options: GlobalOptions): Promise<string | undefined> {
  const settings = await readSettings(terminal, options)
  if (!usesToken(settings, options)) return undefined
  const { operator, workspaces } = await readHolder(consoleOf(terminal, settings))
  return operator ? undefined : workspaces[0]?.workspace_id
}

/**
 * Returns whether commands use the token instead of the admin token: they do if there are both, unless only the admin token is from the
 * environment, or an option asks for the internal address.
 */
function usesToken({ known, file }: Settings, { functionsUrl, insightsUrl }: GlobalOptions): boolean {
  const { token, admin_token: adminToken } = known
  if (token === undefined || adminToken === undefined) return adminToken === undefined
  return functionsUrl === undefined && insightsUrl === undefined && (token.from !== file || adminToken.from === file)
}

/** The commands of one process share an access token. */
const opened = new WeakMap<Terminal, ConsoleApi>()

function consoleOf(terminal: Terminal, settings: Settings): ConsoleApi {
  const known = opened.get(terminal)
  if (known !== undefined) return known
  const token = need(settings, 'token')
  const console = openAt(settings, 'console_url', (url) => openConsole({ url, token }))
  opened.set(terminal, console)
  return console
}
