import { readFileSync } from 'node:fs'
import { ConfigError, type Env, need, url } from './env.ts'
import { codeOf } from './error-code.ts'
import type { Tls } from './http/listen.ts'
import { keyProviderSettings } from './key-providers.ts'
import type { Reach } from './outgoing/url.ts'
import { readSealingKeys, type SealingKeys } from './seal.ts'
import { readerOf } from './settings.ts'
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
  /** The URL of the proxy of onward calls, token requests and webhooks; undefined if there is none. */
  readonly outgoingProxy: string | undefined
  /** The URL of the public APIs for browsers, without a slash at the end. In development, undefined means the address of each request. */
  readonly publicUrl: string | undefined
  /** Whether answers are checked against the contract, in tests and development. */
  readonly checkResponses: boolean
  readonly logLevel: string
  readonly logFile: string | undefined
  /** Undefined if no traces are sent. */
  readonly tracing: TracingConfig | undefined
}

const POSTGRES = ['postgres:', 'postgresql:'] as const

type Defaults = { readonly port: number; readonly internalPort: number; readonly queuePrefix: string }

/** The settings that both services read. */
export const serverSettings = ({ port, internalPort, queuePrefix }: Defaults) =>
  ({
    DATABASE_URL: { required: true, schemes: POSTGRES, secret: true, meaning: "URL of the service's own database" },
    DATABASE_DIRECT_URL: {
      optional: true,
      schemes: POSTGRES,
      secret: true,
      meaning:
        'the same database, without a pooler in transaction mode in between; default `DATABASE_URL`. Migrations and LISTEN need a session',
    },
    DATABASE_CONNECTIONS: {
      whole: [10, 2, 1_000],
      meaning: 'Postgres connections of each process; functions opens at most 9 more, and insights 4 more',
    },
    QUEUE_URL: {
      required: true,
      schemes: ['redis:', 'rediss:', 'redis+cluster:', 'rediss+cluster:', ...POSTGRES],
      secret: true,
      meaning:
        'Redis or Postgres for the queues, the same for both services; a Redis Cluster is `redis+cluster://:password@host1:6379?nodes=host2:6379,host3:6379`',
    },
    QUEUE_PREFIX: {
      text: queuePrefix,
      meaning: "prefix of the queue's keys in Redis, the same for both services; with a Redis Cluster, it needs a `{tag}`",
    },
    HOST: { text: '0.0.0.0', meaning: 'address at which the public API listens' },
    PORT: { whole: [port, 0, 65_535], meaning: 'port of the public API' },
    INTERNAL_HOST: { text: '0.0.0.0', meaning: 'address at which health, metrics and the admin API listen' },
    INTERNAL_PORT: { whole: [internalPort, 0, 65_535], meaning: 'port of health, metrics and the admin API' },
    ADMIN_TOKEN: {
      required: true,
      secret: true,
      meaning:
        'bearer token of the admin APIs, at least 16 characters, the same for both services; `openssl rand -hex 32`. It also signs sessions of the console',
    },
    SEALING_KEYS: {
      required: true,
      secret: true,
      meaning:
        'keys that encrypt the stored secrets, as `id:key,id:key`; the first one encrypts, all decrypt. `echo "k1:$(openssl rand -base64 32)"`; other keys for each service. Vault or AWS KMS can [wrap](README.md#sealing-keys-in-vault-or-aws-kms) them',
    },
    ...keyProviderSettings,
    TRUSTED_PROXIES: { list: [], meaning: 'addresses or subnets of proxies whose `X-Forwarded-*` headers are trusted' },
    TLS_CERT_FILE: { optional: true, meaning: 'PEM file, for a service that terminates TLS itself; needs `TLS_KEY_FILE`' },
    TLS_KEY_FILE: { optional: true, meaning: 'PEM file of the private key' },
    PUBLIC_URL: {
      optional: true,
      meaning:
        'https URL at which browsers reach the gateway, for links to pages; it may have a path. Functions needs it outside development, and insights for `OIDC_ISSUER`',
    },
    LOG_LEVEL: { words: ['info', 'trace', 'debug', 'warn', 'error', 'silent'], meaning: 'lowest level that is logged' },
    LOG_FILE: { optional: true, meaning: 'file to which the log is written; default standard output' },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      optional: true,
      schemes: ['http:', 'https:'],
      meaning: 'base URL of a receiver of traces (OTLP over HTTP), such as `http://collector:4318`; default: no traces',
    },
    OTEL_EXPORTER_OTLP_HEADERS: { optional: true, meaning: 'headers for this receiver, as `name=value`, separated by commas' },
    OTEL_TRACES_SAMPLER_ARG: { text: '1', meaning: 'share of traces that are recorded, 0 to 1, for requests whose callers do not say' },
    OUTGOING_PROXY: {
      optional: true,
      schemes: ['http:', 'https:'],
      secret: true,
      meaning:
        'HTTP proxy for calls of apps, token requests and webhooks, such as `http://user:password@proxy:3128`; it must allow CONNECT to addresses',
    },
    NODE_ENV: { optional: true, meaning: '`production` refuses the settings for development, as in the image' },
    ALLOW_PLAIN_HTTP: { flag: false, development: true, meaning: 'accepts plain HTTP; refused with `NODE_ENV=production`' },
    OUTGOING_REACH: {
      words: ['public', 'local'],
      development: true,
      meaning: '`local` also allows private and loopback addresses in outgoing requests; refused with `NODE_ENV=production`',
    },
    CHECK_RESPONSES: { flag: false, development: true, meaning: 'checks every response against the contract' },
  }) as const

export function readServerConfig(env: Env, defaults: Defaults): ServerConfig {
  refuseInProduction(env)
  const setting = readerOf(env, serverSettings(defaults))
  return {
    databaseUrl: setting('DATABASE_URL'),
    databaseDirectUrl: readDatabaseDirectUrl(env),
    databaseConnections: setting('DATABASE_CONNECTIONS'),
    queueUrl: setting('QUEUE_URL'),
    queuePrefix: setting('QUEUE_PREFIX'),
    host: setting('HOST'),
    port: setting('PORT'),
    internalHost: setting('INTERNAL_HOST'),
    internalPort: setting('INTERNAL_PORT'),
    adminToken: adminToken(env),
    sealingKeys: readSealingKeys(setting('SEALING_KEYS')),
    trustedProxies: setting('TRUSTED_PROXIES'),
    tls: readTls(env),
    allowPlainHttp: setting('ALLOW_PLAIN_HTTP'),
    outgoingReach: setting('OUTGOING_REACH'),
    outgoingProxy: setting('OUTGOING_PROXY'),
    publicUrl: readPublicUrl(env, setting('ALLOW_PLAIN_HTTP')),
    checkResponses: setting('CHECK_RESPONSES'),
    logLevel: setting('LOG_LEVEL'),
    logFile: setting('LOG_FILE'),
    tracing: readTracing(setting('OTEL_EXPORTER_OTLP_ENDPOINT'), setting('OTEL_TRACES_SAMPLER_ARG')),
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
function readPublicUrl(env: Env, allowPlainHttp: boolean): string | undefined {
  if (!env.PUBLIC_URL) return undefined
  const raw = url(env, 'PUBLIC_URL', allowPlainHttp ? ['https:', 'http:'] : ['https:'])
  const { origin, pathname } = requirePlain('PUBLIC_URL', new URL(raw))
  return origin + pathname.replace(/\/+$/, '')
}

/** Returns a URL without user name, query and fragment. Throws a ConfigError if it has one. */
export function requirePlain(name: string, address: URL): URL {
  const { username, password, search, hash } = address
  if (username || password || search || hash) throw new ConfigError(`${name} must hold no user name, query or fragment`)
  return address
}

function readTracing(endpoint: string | undefined, sampled: string): TracingConfig | undefined {
  const share = Number(sampled)
  if (!(share >= 0 && share <= 1)) throw new ConfigError('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1')
  return endpoint === undefined ? undefined : { url: endpoint.replace(/\/+$/, ''), share }
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
