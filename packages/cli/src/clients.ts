import { type ConnectionOptions, Onward, OnwardInsights, type OnwardUser } from '@onward/client'
import { need, openAt, readSettings } from './settings.ts'
import { type GlobalOptions, type Terminal, UsageError } from './terminal.ts'
import { VERSION } from './version.ts'

/** Names this program in the `User-Agent`. */
export const CLIENT_OPTIONS: ConnectionOptions = { appName: `onward-cli-${VERSION}`, largeNumbers: 'bigint' }

/** Returns area A on behalf of the user of `--user`. Throws a UsageError that names what is missing. */
export async function userOf(terminal: Terminal, options: GlobalOptions & { readonly user?: string }): Promise<OnwardUser> {
  const settings = await readSettings(terminal, options)
  const keys = { appKey: need(settings, 'app_key'), appSecret: need(settings, 'app_secret') }
  const onward = openAt(settings, 'functions_url', (baseUrl) => new Onward({ ...CLIENT_OPTIONS, ...keys, baseUrl }))
  const userId = options.user ?? settings.userId
  if (userId === undefined) throw new UsageError('give --user <user_id>: the user on whose behalf Onward acts')
  try {
    return onward.forUser(userId)
  } catch (err) {
    throw new UsageError(`--user: ${(err as Error).message}`)
  }
}

/** Returns area B. `scope` says whether the command needs an application, which comes from `--app-key` or the settings. */
export async function insightsOf(
  terminal: Terminal,
  options: GlobalOptions & { readonly appKey?: string },
  scope: 'application' | 'workspace',
): Promise<OnwardInsights> {
  const settings = await readSettings(terminal, options)
  const apiKey = need(settings, 'api_key')
  const appKey = options.appKey ?? (scope === 'application' ? need(settings, 'app_key') : undefined)
  return openAt(settings, 'insights_url', (baseUrl) => new OnwardInsights({ ...CLIENT_OPTIONS, apiKey, appKey, baseUrl }))
}
