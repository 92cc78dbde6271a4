import { endSession } from '@onward/contract'
import { send } from '@onward/contract-client'
import type { Command } from 'commander'
import { type Check, checksOf } from '../checks.ts'
import { openConsole, readHolder } from '../console.ts'
import { readCredentials } from '../credentials.ts'
import { addExamples } from '../examples.ts'
import { configFile, PROFILE_FIELDS, type Profile, readConfig, writeConfig } from '../profiles.ts'
import { openPrompt } from '../prompt.ts'
import { LOCAL, readSettings, SECRETS, type Setting } from '../settings.ts'
import { type GlobalOptions, hint, NotLoggedInError, printable, showList, showOne, type Terminal, UsageError } from '../terminal.ts'

/** The keys that `login` asks for, with the questions. */
const QUESTIONS = {
  token: 'Token (Enter for none): ',
  app_key: 'App-Key of an application (Enter for none): ',
  app_secret: 'Application secret: ',
  api_key: 'API key of the workspace, for area B (Enter for none): ',
  admin_token: 'Admin token (Enter for none): ',
} as const

type Keys = Partial<Record<keyof typeof QUESTIONS, string>>

const HIDDEN = '(hidden)'
const REVOKE_TIMEOUT_MS = 10_000

export function addLoginCommand(login: Command, terminal: Terminal): void {
  login
    .argument('<url>', 'address of the deployment, for example https://onward.example.com')
    .option('--area-b-url <url>', 'address of area B, if it is another one')
    .description(
      'Store the keys of a deployment as a profile, after a request with each of them. They are asked for, or read from standard input: ' +
        'a JSON object, or field=value lines. Fields: token, app_key, app_secret, api_key, admin_token. Create the token in ' +
        'the console, under Settings › Tokens. An admin token needs --functions-url, --insights-url or both, which are stored too.',
    )
    .action(async (url: string, { areaBUrl }: { areaBUrl?: string }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const name = options.profile ?? (terminal.env.ONWARD_PROFILE || 'default')
      if (name === LOCAL) throw new UsageError(`the profile ${LOCAL} is the file that npm start writes; choose another name`)
      for (const each of [url, areaBUrl ?? url]) {
        if (!/^https?:/i.test(each)) throw new UsageError(`an address must begin with https:// or http://, not ${printable(each)}`)
      }
      const urls = {
        functions_url: url,
        insights_url: areaBUrl ?? url,
        functions_admin_url: options.functionsUrl,
        insights_admin_url: options.insightsUrl,
      }
      const keys = await readKeys(terminal, options, url)
      const profile = { ...urls, ...(keys.token === undefined ? {} : { console_url: consoleOf(url) }), ...keys }
      const checks = makeChecks(profile)
      if (checks.length === 0) throw new UsageError('no key was given')
      for (const { service, send } of checks) {
        const holder = await send().catch((err) => {
          const isOtherArea = areaBUrl === undefined && service.startsWith('insights') && err.code === 'not_found'
          throw isOtherArea ? new UsageError(`area B is not at ${printable(url)}; give its address with --area-b-url`) : err
        })
        hint(terminal, typeof holder === 'string' ? `${service} accepts the token of ${printable(holder)}` : `${service} accepts the key`)
      }
      const config = await readConfig(terminal)
      await writeConfig(terminal, { current: name, profiles: { ...config.profiles, [name]: profile } })
      showOne(terminal, options, { profile: name, file: configFile(terminal), checked: checks.map(({ service }) => service).join(', ') })
    })
  addExamples(login, [
    'onward login https://onward.example.com',
    'onward login https://staging.example.com --profile staging < keys.json',
    'onward login http://localhost:4000 --area-b-url http://localhost:4001 --functions-url http://localhost:4010 --insights-url http://localhost:4011',
  ])
}

function consoleOf(url: string): string {
  return `${url.replace(/\/+$/, '')}/console`
}

function makeChecks(profile: Profile): Check[] {
  const { app_key, app_secret, admin_token, functions_admin_url, insights_admin_url } = profile
  if ((app_key === undefined) !== (app_secret === undefined))
    throw new UsageError('an app_key and its app_secret belong together: give both')
  if (admin_token !== undefined && functions_admin_url === undefined && insights_admin_url === undefined)
    throw new UsageError('an admin_token needs the address of an admin API: --functions-url, --insights-url or both')
  try {
    return checksOf(profile)
  } catch (err) {
    throw err instanceof TypeError ? new UsageError(err.message) : err
  }
}

/** Reads the keys from standard input, or asks for them if it is a terminal. */
async function readKeys(terminal: Terminal, { functionsUrl, insightsUrl }: GlobalOptions, url: string): Promise<Keys> {
  if (!terminal.stdin.isTTY) {
    const keys = await readCredentials(terminal)
    const unknown = Object.keys(keys).find((field) => !Object.hasOwn(QUESTIONS, field))
    if (unknown !== undefined) throw new UsageError(`${printable(unknown)} is not one of ${Object.keys(QUESTIONS).join(', ')}`)
    return keys
  }
  const prompt = openPrompt(terminal, '')
  const ask = async (field: keyof Keys) => (await prompt.ask(QUESTIONS[field], field === 'app_key' ? undefined : 'secret')) || undefined
  hint(terminal, `You can create a token in the console, ${printable(consoleOf(url))}, under Settings › Tokens.`)
  try {
    const token = await ask('token')
    const app_key = await ask('app_key')
    const app_secret = app_key === undefined ? undefined : await ask('app_secret')
    const api_key = await ask('api_key')
    const admin_token = functionsUrl === undefined && insightsUrl === undefined ? undefined : await ask('admin_token')
    return { token, app_key, app_secret, api_key, admin_token }
  } finally {
    await prompt.close()
  }
}

export function addLogoutCommand(logout: Command, terminal: Terminal): void {
  logout.action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const { current, profiles } = await readConfig(terminal)
    const name = options.profile ?? (terminal.env.ONWARD_PROFILE || current)
    if (!name || profiles[name] === undefined) throw new UsageError(name ? `there is no profile ${name}` : 'no profile is stored')
    const { [name]: removed, ...others } = profiles
    const revoked = await revokeToken(terminal, removed as Profile)
    await writeConfig(terminal, { current: current === name ? null : current, profiles: others })
    showOne(terminal, options, { profile: name, removed: true, ...(revoked === undefined ? {} : { token_revoked: revoked }) })
  })
  addExamples(logout, ['onward logout', 'onward logout --profile staging'])
}

/** Revokes the token of a profile. Returns whether that worked; undefined if the profile has none. */
async function revokeToken(terminal: Terminal, { console_url: url, token }: Profile): Promise<boolean | undefined> {
  if (url === undefined || token === undefined) return undefined
  try {
    const console = openConsole({ url, token, timeoutMs: REVOKE_TIMEOUT_MS })
    const { session } = await readHolder(console)
    await send(console.insights, endSession, { params: { id: session.id } })
    return true
  } catch (err) {
    hint(terminal, `The token was not revoked: ${printable((err as Error).message)}`)
    return false
  }
}

export function addWhoamiCommand(whoami: Command, terminal: Terminal): void {
  whoami.action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const { profile, known } = await readSettings(terminal, options)
    const settings = PROFILE_FIELDS.flatMap((setting) => {
      const { value, from } = known[setting] ?? {}
      return value === undefined ? [] : [{ setting, value: SECRETS.includes(setting) ? HIDDEN : value, from }]
    })
    if (!options.json) hint(terminal, `profile ${printable(profile)}`)
    const shown = { profile, settings }
    showList(terminal, options, shown, 'settings', ['setting', 'value', 'from'])
  })
  addExamples(whoami, ['onward whoami', 'onward whoami --profile staging --json'])
}

export function addStatusCommand(status: Command, terminal: Terminal): void {
  status.action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals<GlobalOptions>()
    const { profile, known } = await readSettings(terminal, options)
    const values = Object.fromEntries(Object.entries(known).map(([name, { value }]) => [name, value])) as Partial<Record<Setting, string>>
    const checks = makeChecks(values)
    if (checks.length === 0) throw new NotLoggedInError('no key is known: log in with onward login')
    const results = await Promise.allSettled(checks.map(({ send }) => send()))
    const services = checks.map(({ service, url }, index) => {
      const result = results[index]
      const holder = result?.status === 'fulfilled' && typeof result.value === 'string' ? { holder: result.value } : {}
      const problem = result?.status === 'rejected' ? (result.reason as Error).message : null
      return { service, url, ok: problem === null, problem, ...holder }
    })
    const shown = { profile, services }
    const columns = ['service', 'url', 'ok', 'problem', ...(services.some((each) => 'holder' in each) ? ['holder'] : [])]
    showList(terminal, options, shown, 'services', columns)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  })
  addExamples(status, ['onward status', 'onward status --profile staging --json'])
}

export function addProfileCommands(profile: Command, terminal: Terminal): void {
  profile
    .command('list')
    .description('List the profiles that onward login has stored.')
    .action(async (_: unknown, command: Command) => {
      const { current, profiles: stored } = await readConfig(terminal)
      const profiles = Object.entries(stored).map(([name, { functions_url }]) => ({ name, url: functions_url, current: name === current }))
      showList(terminal, command.optsWithGlobals<GlobalOptions>(), { profiles }, 'profiles', ['name', 'url', 'current'])
    })

  profile
    .command('use')
    .description('Make a profile the one of commands that name none.')
    .argument('<name>')
    .action(async (name: string, _: unknown, command: Command) => {
      const { profiles } = await readConfig(terminal)
      if (profiles[name] === undefined) throw new UsageError(`there is no profile ${name}: onward profile list shows the stored ones`)
      await writeConfig(terminal, { current: name, profiles })
      showOne(terminal, command.optsWithGlobals<GlobalOptions>(), { profile: name })
    })
  addExamples(profile, ['onward profile list', 'onward profile use staging'])
}
