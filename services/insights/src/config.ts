import { HOUR_MS, QUEUE_PREFIX } from '@onward/contract'
import {
  ConfigError,
  need,
  readerOf,
  readServerConfig,
  requirePlain,
  type ServerConfig,
  type Settings,
  serverSettings,
  url,
} from '@onward/runtime'

/** The longest time that a timer can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1
/** 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h: the schedule that Standard Webhooks recommends. */
const RETRY_DELAYS_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000, 86_400_000]

/** Receivers on other ports are rare, and other services that listen there must not get requests from us. */
const PORTS = [443, 8443]

const DEFAULTS = { port: 4001, internalPort: 4011, queuePrefix: QUEUE_PREFIX }

export const SETTINGS = {
  ...serverSettings(DEFAULTS),
  EVENTS_KEPT_DAYS: {
    whole: [35, 35, 3_660],
    unit: 'days',
    meaning: 'how long task events are stored, at least; a longer limit period extends it',
  },
  WEBHOOK_RETRY_DELAYS_MS: {
    list: RETRY_DELAYS_MS,
    unit: 'ms',
    meaning: 'waits between the attempts of a webhook; by default 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h',
  },
  WEBHOOK_TIMEOUT_MS: { whole: [15_000, 100, 60_000], unit: 'ms', meaning: 'deadline of an attempt' },
  WEBHOOK_DISABLE_AFTER_HOURS: {
    whole: [120, 1, 8_760],
    unit: 'hours',
    meaning: 'time after which a subscription is disabled when all its attempts failed',
  },
  CALLBACK_PORTS: { list: PORTS, meaning: 'ports that callback URLs may have; with `OUTGOING_REACH=local`, the default is any port' },
  OIDC_ISSUER: {
    optional: true,
    meaning:
      'issuer of the OpenID provider with which people sign in to the console, such as `https://accounts.google.com`; default: one-time links only',
  },
  OIDC_CLIENT_ID: { optional: true, meaning: 'client id that the provider issued; needed with `OIDC_ISSUER`' },
  OIDC_CLIENT_SECRET: { optional: true, secret: true, meaning: 'client secret that the provider issued; needed with `OIDC_ISSUER`' },
  OIDC_LABEL: { text: 'Sign in with single sign-on', meaning: 'text of the button on the sign-in page, at most 60 characters' },
  LIMIT_CHANGES_EVERY_MS: { whole: [500, 10, MAX_TIMER_MS], unit: 'ms', meaning: 'how often pending limit changes are looked for' },
  WEBHOOK_SWEEP_EVERY_MS: {
    whole: [3_000, 10, MAX_TIMER_MS],
    unit: 'ms',
    meaning: 'how often due webhooks are looked for whose queue job was lost',
  },
  WEBHOOK_OVERDUE_MS: {
    whole: [10_000, 0, MAX_TIMER_MS],
    unit: 'ms',
    meaning: 'how long a webhook must be due before its queue job counts as lost',
  },
} as const satisfies Settings

type WebhookConfig = {
  /** The wait after the first attempt, after the second, and so on. The first attempt is made at once. */
  readonly retryDelaysMs: readonly number[]
  /** Deadline of an attempt: connecting, sending, and receiving the complete response. */
  readonly timeoutMs: number
  /** A subscription is disabled when all its attempts have failed for this long. */
  readonly disableAfterMs: number
  /** How often the sweep looks for due deliveries whose queue job was lost. */
  readonly sweepEveryMs: number
  /** How long a delivery must be due before its queue job counts as lost. */
  readonly overdueMs: number
  /** The ports that callback URLs may have; undefined for any. */
  readonly ports: readonly number[] | undefined
}

/** The OpenID provider with which people sign in to the console. */
export type OidcConfig = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The text of the button. */
  readonly label: string
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
}

export type Config = ServerConfig & {
  /** Minimum number of days for which task events are stored. */
  readonly eventsKeptDays: number
  /** How often the background work looks for pending limit changes. */
  readonly limitChangesEveryMs: number
  readonly webhooks: WebhookConfig
  /** The folder of the built console; undefined to serve none. */
  readonly consoleFolder: string | undefined
  /** Undefined if people sign in with one-time links only. */
  readonly oidc: OidcConfig | undefined
}

/**
 * Reads the environment. `builtIn.console` is the folder of the built console. Throws a ConfigError that names the variable that is missing
 * or not valid.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, builtIn: { readonly console?: string } = {}): Config {
  const server = readServerConfig(env, DEFAULTS)
  const setting = readerOf(env, SETTINGS)
  return Object.freeze({
    ...server,
    eventsKeptDays: setting('EVENTS_KEPT_DAYS'),
    consoleFolder: builtIn.console,
    oidc: readOidc(env, server),
    limitChangesEveryMs: setting('LIMIT_CHANGES_EVERY_MS'),
    webhooks: {
      retryDelaysMs: readRetryDelays(setting('WEBHOOK_RETRY_DELAYS_MS')),
      timeoutMs: setting('WEBHOOK_TIMEOUT_MS'),
      disableAfterMs: setting('WEBHOOK_DISABLE_AFTER_HOURS') * HOUR_MS,
      sweepEveryMs: setting('WEBHOOK_SWEEP_EVERY_MS'),
      overdueMs: setting('WEBHOOK_OVERDUE_MS'),
      ports: env.CALLBACK_PORTS || server.outgoingReach === 'public' ? readPorts(setting('CALLBACK_PORTS')) : undefined,
    },
  })
}

/** The path of the redirect URI below the public address. */
const CALLBACK_PATH = '/console/oidc/callback'

/** Returns the redirect URI to register at a provider. */
export function redirectUriOf(publicUrl: string): string {
  return publicUrl + CALLBACK_PATH
}

const MAX_LABEL = 60

/** Reads the variables of the OpenID provider: all of them, or none. */
function readOidc(env: Readonly<Record<string, string | undefined>>, { publicUrl, outgoingReach }: ServerConfig): OidcConfig | undefined {
  if (!['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_LABEL'].some((name) => env[name])) return undefined
  const issuer = url(env, 'OIDC_ISSUER', outgoingReach === 'local' ? ['https:', 'http:'] : ['https:'])
  const { pathname } = requirePlain('OIDC_ISSUER', new URL(issuer))
  // The library would not compare the issuer with the document's issuer.
  if (pathname.includes('/.well-known/')) throw new ConfigError('OIDC_ISSUER must end before /.well-known/')
  const [clientId, clientSecret] = [need(env, 'OIDC_CLIENT_ID'), need(env, 'OIDC_CLIENT_SECRET')]
  const label = readerOf(env, SETTINGS)('OIDC_LABEL')
  if (label.length > MAX_LABEL) throw new ConfigError(`OIDC_LABEL must have at most ${MAX_LABEL} characters`)
  // The address of a request can be chosen by its sender.
  if (publicUrl === undefined) throw new ConfigError('PUBLIC_URL is not set; OIDC_ISSUER needs it for the redirect URI')
  return { issuer, clientId, clientSecret, label, redirectUri: redirectUriOf(publicUrl) }
}

function readPorts(ports: readonly string[]): readonly number[] {
  if (!ports.every((port) => /^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535)) {
    throw new ConfigError('CALLBACK_PORTS must be port numbers, separated by commas')
  }
  return ports.map(Number)
}

function readRetryDelays(delays: readonly string[]): readonly number[] {
  if (!delays.every((delay) => /^\d{1,9}$/.test(delay))) {
    throw new ConfigError('WEBHOOK_RETRY_DELAYS_MS must be whole numbers of milliseconds, separated by commas')
  }
  return delays.map(Number)
}
