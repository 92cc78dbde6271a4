import { isUrl } from './outgoing/url.ts'

/** An environment variable is missing or not valid. The message names the variable, so no stack trace is needed. */
export class ConfigError extends Error {}

export type Env = Readonly<Record<string, string | undefined>>

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
