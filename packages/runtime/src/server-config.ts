import { readFileSync } from 'node:fs'
import { ConfigError, flag, list, need, oneOf, text, url, whole } from './env.ts'
import { codeOf } from './error-code.ts'
import type { Tls } from './http/listen.ts'
import type { Reach } from './outgoing/url.ts'
import { readSealingKeys, type SealingKeys } from './seal.ts'
import type { TracingConfig } from './tracing.ts'

/** The settings that both services share. */
export type ServerConfig = {
  readonly databaseUrl: string
  /** Bypasses a pooler in transaction mode, for what needs a session: migrations and LISTEN. */
  readonly databaseDirectUrl: string
  readonly databaseConnections: number
  readonly queueUrl: string
  readonly queuePrefix: string
  readonly host: string
  readonly port: number
  readonly internalHost: string
  readonly internalPort: number
  readonly adminToken: string
  readonly sealingKeys: SealingKeys
  /** Addresses or subnets of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[]
  readonly tls: Tls | undefined
  readonly allowPlainHttp: boolean
  readonly outgoingReach: Reach
  /** The URL of the public APIs for browsers, without a slash at the end. In development, undefined means the address of each request. */
  readonly publicUrl: string | undefined
  /** Whether answers are checked against the contract, in tests and development. */
  readonly checkResponses: boolean
  readonly logLevel: string
  readonly logFile: string | undefined
  /** Undefined if no traces are sent. */
  readonly tracing: TracingConfig | undefined
}

const POSTGRES = ['postgres:', 'postgresql:']

type Env = Readonly<Record<string, string | undefined>>

export function readServerConfig(env: Env, defaults: { port: number; internalPort: number; queuePrefix: string }): ServerConfig {
  refuseInProduction(env)
  return {
    databaseUrl: url(env, 'DATABASE_URL', POSTGRES),
    databaseDirectUrl: readDatabaseDirectUrl(env),
    databaseConnections: whole(env, 'DATABASE_CONNECTIONS', 10, 2, 1_000),
    queueUrl: url(env, 'QUEUE_URL', ['redis:', 'rediss:', 'redis+cluster:', 'rediss+cluster:', ...POSTGRES]),
    queuePrefix: text(env, 'QUEUE_PREFIX', defaults.queuePrefix),
    host: text(env, 'HOST', '0.0.0.0'),
    port: whole(env, 'PORT', defaults.port, 0, 65_535),
    internalHost: text(env, 'INTERNAL_HOST', '0.0.0.0'),
    internalPort: whole(env, 'INTERNAL_PORT', defaults.internalPort, 0, 65_535),
    adminToken: adminToken(env),
    sealingKeys: readSealingKeys(need(env, 'SEALING_KEYS')),
    trustedProxies: list(env, 'TRUSTED_PROXIES'),
    tls: readTls(env),
    allowPlainHttp: flag(env, 'ALLOW_PLAIN_HTTP'),
    outgoingReach: oneOf(env, 'OUTGOING_REACH', ['public', 'local']),
    publicUrl: readPublicUrl(env),
    checkResponses: flag(env, 'CHECK_RESPONSES'),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', 'trace', 'debug', 'warn', 'error', 'silent']),
    logFile: env.LOG_FILE || undefined,
    tracing: readTracing(env),
  }
}

/** One process with such a setting would undo the protection of all that work on the same database. */
function refuseInProduction(env: Env): void {
  if (env.NODE_ENV !== 'production') return
  const fix = 'is for development only; remove it, because NODE_ENV is production'
  if (env.OUTGOING_REACH === 'local') throw new ConfigError(`OUTGOING_REACH=local ${fix}`)
  if (env.ALLOW_PLAIN_HTTP === 'true') throw new ConfigError(`ALLOW_PLAIN_HTTP=true ${fix}`)
}

/** The only setting that migrations need. */
export function readDatabaseDirectUrl(env: Env): string {
  return url(env, env.DATABASE_DIRECT_URL ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL', POSTGRES)
}

function adminToken(env: Env): string {
  const token = need(env, 'ADMIN_TOKEN')
  if (token.length < 16) throw new ConfigError('ADMIN_TOKEN must have at least 16 characters (openssl rand -hex 32)')
  return token
}

/** Accepts an https URL, with an optional path; http only if plain HTTP is allowed. */
function readPublicUrl(env: Env): string | undefined {
  if (!env.PUBLIC_URL) return undefined
  const raw = url(env, 'PUBLIC_URL', flag(env, 'ALLOW_PLAIN_HTTP') ? ['https:', 'http:'] : ['https:'])
  const { origin, pathname } = requirePlain('PUBLIC_URL', new URL(raw))
  return origin + pathname.replace(/\/+$/, '')
}

/** Returns a URL without user name, query and fragment. Throws a ConfigError if it has one. */
export function requirePlain(name: string, address: URL): URL {
  const { username, password, search, hash } = address
  if (username || password || search || hash) throw new ConfigError(`${name} must hold no user name, query or fragment`)
  return address
}

function readTracing(env: Env): TracingConfig | undefined {
  const share = Number(text(env, 'OTEL_TRACES_SAMPLER_ARG', '1'))
  if (!(share >= 0 && share <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return undefined
  return { url: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']).replace(/\/+$/, ''), share }
}

function readTls(env: Env): Tls | undefined {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = env
  if (!certFile && !keyFile) return undefined
  return { cert: readNamedFile(env, 'TLS_CERT_FILE'), key: readNamedFile(env, 'TLS_KEY_FILE') }
}

function readNamedFile(env: Env, name: string): Buffer {
  try {
    return readFileSync(need(env, name))
  } catch (err) {
    if (err instanceof ConfigError) throw err
    // The error's message contains the value, which is a key if someone set the key instead of its file name.
    throw new ConfigError(`${name} names a file that cannot be read (${codeOf(err)})`)
  }
}
