import { readFileSync } from 'node:fs'
import { ConfigError, type Env, flag, list, need, oneOf, text, url, whole } from './env.ts'
import { codeOf } from './error-code.ts'
import { correctName, nearestAll } from './nearest.ts'

/** What an environment variable may contain, and its default. */
type Kind =
  | { readonly whole: readonly [fallback: number, min: number, max: number] }
  /** The first word is the default. */
  | { readonly words: readonly [string, ...string[]] }
  | { readonly flag: false }
  /** Values separated by commas. */
  | { readonly list: readonly (string | number)[] }
  /** A text with a default. */
  | { readonly text: string }
  /** A text without a default; `schemes` are those of a URL. */
  | { readonly optional: true; readonly schemes?: readonly string[] }
  | { readonly required: true; readonly schemes?: readonly string[] }

/** An environment variable that a service reads. infra/CONFIG.md lists them all. */
export type Setting = Kind & {
  readonly meaning: string
  readonly unit?: string
  /** A secret can also come from a file. */
  readonly secret?: true
  readonly development?: true
}

export type Settings = Readonly<Record<string, Setting>>

type Value<S> = S extends { whole: unknown }
  ? number
  : S extends { words: readonly (infer Word)[] }
    ? Word
    : S extends { flag: unknown }
      ? boolean
      : S extends { list: unknown }
        ? string[]
        : S extends { optional: unknown }
          ? string | undefined
          : string

/** Returns a function that reads a setting of the table. It throws a ConfigError if the setting is missing or not valid. */
export function readerOf<const T extends Settings>(env: Env, table: T): <N extends keyof T & string>(name: N) => Value<T[N]> {
  return <N extends keyof T & string>(name: N) => read(env, name, table[name] as Setting) as Value<T[N]>
}

function read(env: Env, name: string, setting: Setting): unknown {
  if ('whole' in setting) return whole(env, name, ...setting.whole)
  if ('words' in setting) return oneOf(env, name, setting.words)
  if ('flag' in setting) return flag(env, name)
  if ('list' in setting) {
    const values = list(env, name)
    return values.length > 0 ? values : setting.list.map(String)
  }
  if ('text' in setting) return text(env, name, setting.text)
  if ('optional' in setting && !env[name]) return undefined
  return setting.schemes === undefined ? need(env, name) : url(env, name, setting.schemes)
}

/**
 * Returns the environment with the contents of the files that variables such as `ADMIN_TOKEN_FILE` name, without line breaks at their ends.
 * Orchestrators mount secrets as files. Throws a ConfigError if a file cannot be read, or
 * if the variable is set too.
 */
export function readSecretFiles(env: Env, table: Settings): Env {
  const contents: Record<string, string> = {}
  for (const name of secretsOf(table)) {
    const file = env[`${name}_FILE`]
    if (!file) continue
    if (env[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; remove one`)
    try {
      contents[name] = readFileSync(file, 'utf8').replace(/[\r\n]+$/, '')
    } catch (err) {
      throw new ConfigError(`${name}_FILE: ${file} cannot be read (${codeOf(err)})`)
    }
  }
  return { ...env, ...contents }
}

const secretsOf = (table: Settings) => Object.keys(table).filter((name) => table[name]?.secret)

/** Kubernetes gives each container the addresses of all Services, such as FUNCTIONS_PORT=tcp://10.0.0.1:4000 and FUNCTIONS_SERVICE_HOST. */
const SERVICE_LINK = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/
const SERVICE_ADDRESS = /^(tcp|udp|sctp):\/\//

/** First words of settings that other programs hardly use. */
const OWN_WORDS = ['CALL', 'CALLBACK', 'CALLS', 'LIMIT', 'OUTGOING', 'RECONCILE', 'SEALING', 'WEBHOOK']

/** Returns a sentence for each variable that is no setting, but is probably meant as one. Such a variable has no effect. */
export function misspelt(env: Env, table: Settings): string[] {
  const known = [...Object.keys(table), ...secretsOf(table).map((name) => `${name}_FILE`)]
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (known.includes(name) || !name.includes('_') || SERVICE_LINK.test(name) || SERVICE_ADDRESS.test(value)) return []
    const meant = meantBy(name, known, env)
    return meant === undefined ? [] : [`${name} is set, but it is not a setting; did you mean ${meant}?`]
  })
}

function meantBy(name: string, known: readonly string[], env: Env): string | undefined {
  const close = correctName(name, known)
  // SSL_CERT_FILE is not meant as TLS_CERT_FILE. People seldom misspell the first letter.
  if (close?.[0] === name[0]) return close
  const [, rest] = /^(?:FUNCTIONS|INSIGHTS|ONWARD)_(.+)/.exec(name) ?? []
  // docker-compose.yml passes FUNCTIONS_SEALING_KEYS on as SEALING_KEYS, and both are set if a container gets all of `.env`.
  if (rest !== undefined) return known.find((each) => each === (correctName(rest, known) ?? '') && !env[each])
  const [word = ''] = name.split('_', 1)
  const alike = OWN_WORDS.includes(word) ? known.filter((each) => each.startsWith(`${word}_`)) : []
  return nearestAll(name, alike, 1)[0] ?? alike[0]
}
