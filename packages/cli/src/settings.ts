import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adminClient, type Target } from '@onward/contract-client'
import { type GlobalOptions, NotLoggedInError, type Terminal, UsageError } from './terminal.ts'

const DEV_FILE = '.onward/dev.json'
const TOKEN = 'ONWARD_ADMIN_TOKEN'

type DevFile = { readonly [key in 'functions_admin_url' | 'insights_admin_url' | 'admin_token']?: string }

const SERVICES = {
  functions: { option: 'functionsUrl', flag: '--functions-url', variable: 'ONWARD_FUNCTIONS_ADMIN_URL', key: 'functions_admin_url' },
  insights: { option: 'insightsUrl', flag: '--insights-url', variable: 'ONWARD_INSIGHTS_ADMIN_URL', key: 'insights_admin_url' },
} as const

/**
 * Returns the admin API of a service. URL and token come from options, the environment, or the file that `npm start` writes. Throws a UsageError
 * that names the missing setting.
 */
export async function adminOf(service: keyof typeof SERVICES, terminal: Terminal, options: GlobalOptions): Promise<Target> {
  const { option, flag, variable, key } = SERVICES[service]
  const given = terminal.env[TOKEN] || undefined
  // A token from the environment must never be sent to an address from a file in the working directory.
  const dev = given === undefined ? await readDevFile(terminal.cwd) : ({} as DevFile)
  const token = given ?? dev.admin_token
  const url = options[option] ?? (terminal.env[variable] || dev[key])
  if (token === undefined)
    throw new NotLoggedInError(`set ${TOKEN}, or run this command in the folder of npm start (${DEV_FILE} does not exist here)`)
  if (url === undefined)
    throw new UsageError(`set ${variable} or ${flag}${given === undefined ? '' : `: ${DEV_FILE} is ignored when ${TOKEN} is set`}`)
  try {
    return adminClient({ url, token })
  } catch (err) {
    throw new UsageError(`${variable} or ${flag}: ${(err as Error).message}`)
  }
}

async function readDevFile(cwd: string): Promise<DevFile> {
  const text = await readFile(join(cwd, DEV_FILE), 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return '{}'
    throw new UsageError(`${DEV_FILE} cannot be read (${err.code})`)
  })
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${DEV_FILE} is not valid JSON: run npm start again`)
  }
}
