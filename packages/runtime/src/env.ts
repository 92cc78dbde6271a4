import { readFileSync } from 'node:fs'
import { codeOf } from './error-code.ts'
import { correctName } from './nearest.ts'
import { isUrl } from './outgoing/url.ts'

/** An environment variable is missing or not valid. The message names the variable, so no stack trace is needed. */
export class ConfigError extends Error {}

type Env = Readonly<Record<string, string | undefined>>

/** Returns a required variable. Throws a ConfigError if it is missing or empty. */
export function need(env: Env, name: string): string {
  const value = env[name]
  if (value === undefined || value === '') throw new ConfigError(`${name} is not set`)
  return value
}

export function text(env: Env, name: string, fallback: string): string {
  return env[name] || fallback
}

/** Returns a whole number from `min` to `max`. */
export function whole(env: Env, name: string, fallback: number, min: number, max: number): number {
  const raw = env[name]
  if (raw === undefined || raw === '') return fallback
  const value = Number(raw)
  if (!/^-?\d+$/.test(raw) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${raw}"`)
  }
  return value
}

export function flag(env: Env, name: string): boolean {
  const raw = env[name] ?? ''
  if (raw === '' || raw === 'false') return false
  if (raw === 'true') return true
  throw new ConfigError(`${name} must be true or false, not "${raw}"`)
}

/** Returns one of a closed set of words. The first one is the default. */
export function oneOf<const T extends string>(env: Env, name: string, words: readonly [T, ...T[]]): T {
  const raw = env[name]
  if (raw === undefined || raw === '') return words[0]
  const found = words.find((word) => word === raw)
  if (found === undefined) throw new ConfigError(`${name} must be one of ${words.join(', ')}, not "${raw}"`)
  return found
}

/** Returns comma-separated words without empty ones. */
export function list(env: Env, name: string): string[] {
  return (env[name] ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** Returns a URL with one of the given schemes, such as `postgres:`. An error never shows the value, because it may contain a password. */
export function url(env: Env, name: string, schemes: readonly string[]): string {
  const raw = need(env, name)
  if (!isUrl(raw) || !schemes.includes(new URL(raw).protocol)) {
    throw new ConfigError(`${name} must be a URL that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`)
  }
  return raw
}

/** The variables that hold secrets. Each can come from a file. */
const SECRETS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'QUEUE_URL', 'ADMIN_TOKEN', 'SEALING_KEYS', 'OIDC_CLIENT_SECRET', 'MODEL_API_KEY']

/**
 * Returns the environment with the contents of the files that variables such as `ADMIN_TOKEN_FILE` name, without line breaks at their ends.
 * Orchestrators mount secrets as files. Throws a ConfigError if a file cannot be read, or
 * if the variable is set too.
 */
export function readSecretFiles(env: Env): Env {
  const read: Record<string, string> = {}
  for (const name of SECRETS) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; remove one`)
    try {
      read[name] = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    } catch (err) {
      throw new ConfigError(`${name}_FILE: ${file} cannot be read (${codeOf(err)})`)
    }
  }
  return { ...env, ...read }
}

/**
 * Reads settings from the environment. `misspelt` has a sentence for each variable that is no setting, but whose name is one or two edits
 * from one. Such a variable has no effect.
 */
export function readSettings<T>(env: Env, read: (env: Env) => T): { readonly settings: T; readonly misspelt: readonly string[] } {
  const known = new Set<string>()
  const noting: ProxyHandler<Env> = {
    get(target, name) {
      known.add(String(name))
      return Reflect.get(target, name)
    },
  }
  const settings = read(new Proxy(env, noting))
  const misspelt = Object.keys(env).flatMap((name) => {
    const meant = known.has(name) || !name.includes('_') ? undefined : correctName(name, [...known])
    // SSL_CERT_FILE is not meant as TLS_CERT_FILE. People seldom misspell the first letter.
    return meant?.[0] !== name[0] ? [] : [`${name} is set, but it is not a setting; did you mean ${meant}?`]
  })
  return { settings, misspelt }
}
