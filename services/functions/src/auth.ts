import { createHmac, createSecretKey, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Actor } from '@onward/access'
import { type ClientProfile, DOT_SEGMENTS, slug } from '@onward/contract'
import { addressOf, isStorable, type RateLimit, Refusal, type Sealer, type Sender, type UserKey } from '@onward/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Context } from './context.ts'
import { allowOrigin } from './cors.ts'
import { type Secret, type ServedApplication, validSecrets } from './served-applications.ts'

const MAX_USER_ID_BYTES = 1024

/**
 * Authenticates by App-Key, User-ID and the HMAC-SHA256 of the User-ID with the application's secret. The headers `App-Key`, `User-ID` and
 * `Hash` take precedence over the headers `app_key`, `user_id` and `hash`, and headers take precedence over the query. If they are wrong, the
 * query is tried alone.
 */
export function authenticate(ctx: Context): RequestHandler {
  const { wrongCredentials } = ctx.rateLimits

  /** Returns the application of right credentials. Wrong ones take as long for an unknown App-Key, so that the time does not reveal it. */
  async function verify(address: string, req: Request, res: Response, sent: Credentials): Promise<Verified | undefined> {
    const { appKey, userId, hash } = sent
    wrongCredentials.check(address, appKey ?? '')
    const storable = appKey !== undefined && isStorable(appKey)
    const held = storable ? ctx.applications.held(appKey) : undefined
    const signing = signingSecret(hash ?? '', held?.secrets ?? NO_SECRETS, userId ?? '')
    const current = held === undefined ? undefined : signing
    // Only the database decides that credentials are wrong: the application may be new, or its secret was just rotated.
    const found = current !== undefined || !storable ? held : await ctx.applications.read(appKey)
    // A page must be able to read why it was refused. This shows that the App-Key exists, as the page itself does.
    if (found !== undefined) allowOrigin(req, res, found.allowedOrigins)
    const secret = current ?? signingSecret(hash ?? '', found?.secrets ?? NO_SECRETS, userId ?? '')
    return found === undefined || secret === undefined || appKey === undefined || !userId
      ? undefined
      : { caller: { appKey, userId }, application: found, secret }
  }

  return async (req, res, next) => {
    const address = addressOf(req)
    const sent = credentialsOf((header, name) => inHeaders(req, header, name) ?? inQuery(req, name))
    let verified = await verify(address, req, res, sent)
    const other = verified === undefined ? otherCredentials(req, sent) : undefined
    if (other !== undefined) verified = await verify(address, req, res, other)
    if (verified === undefined) {
      wrongCredentials.count(address)
      const problems = malformed(sent)
      if (problems.length > 0) throw new Refusal('unauthenticated', 'send a valid App-Key, User-ID and Hash', problems)
      const text =
        'App-Key, User-ID and Hash do not belong together; the Hash is HMAC-SHA256 of the User-ID, with the secret of the application'
      throw new Refusal('unauthenticated', text, [], { docs: 'hash' })
    }
    const { caller, application, secret } = verified
    wrongCredentials.trust(address, caller.appKey)
    requireUserId(caller.userId)
    res.locals.caller = caller
    res.locals.application = application
    res.locals.secret = secret
    next()
  }
}

/** Throws `invalid_user_id` for a User-ID that no user can have. */
export function requireUserId(userId: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (Buffer.byteLength(userId) > MAX_USER_ID_BYTES || /[\u0000-\u001f\u007f]/.test(userId) || DOT_SEGMENTS.includes(userId)) {
    const text = `User-ID must have at most ${MAX_USER_ID_BYTES} bytes and no control characters, and must not be "." or ".."`
    throw new Refusal('invalid_user_id', text)
  }
}

type Credentials = { readonly appKey: string | undefined; readonly userId: string | undefined; readonly hash: string | undefined }

type Verified = { readonly caller: UserKey; readonly application: ServedApplication; readonly secret: Secret }

/** Returns the client profile of the application that sent an authenticated request. */
export function profileOf(res: Response): ClientProfile {
  const application: ServedApplication = res.locals.application
  return application.clientProfile
}

/** A person changes a few accounts a minute. */
const CHANGE_QUOTA = 20

/** Returns the rate limit of a change of a user's accounts on a page. */
export function changeLimits({ appKey, userId }: UserKey): RateLimit[] {
  return [{ name: 'account-changes', key: `${appKey}/${userId}`, quota: CHANGE_QUOTA }]
}

/** As many changes as a person at the console can make a minute. */
const APPLICATION_CHANGE_QUOTA = 1_200

/** Returns the rate limit of changes of accounts that the server of an application makes. */
export function applicationChangeLimits({ appKey }: UserKey): RateLimit[] {
  return [{ name: 'application-account-changes', key: appKey, quota: APPLICATION_CHANGE_QUOTA }]
}

/**
 * Returns a problem for each credential that is missing or cannot be right in any application. It depends on the request alone, so it
 * does not reveal which App-Keys exist.
 */
function malformed({ appKey, userId, hash }: Credentials): string[] {
  return [
    ...(appKey === undefined
      ? ['App-Key: is missing']
      : APP_KEY.test(appKey)
        ? []
        : ['App-Key: must have 1 to 100 letters, digits, - and _']),
    ...(userId === undefined ? ['User-ID: is missing'] : []),
    ...(hash === undefined
      ? ['Hash: is missing']
      : HEX.test(hash)
        ? []
        : [`Hash: must be 64 hexadecimal digits${BASE64.test(hash) ? ', not base64' : ''}`]),
  ]
}

const APP_KEY = new RegExp(slug.pattern)
const HEX = /^[0-9a-f]{64}$/i
/** An HMAC-SHA256 in base64. */
const BASE64 = /^[\w+/-]{43}=?$/

/**
 * Returns a function that returns the application and a pseudonym of the user, for log lines. An id can be an e-mail address, so its plain
 * hash could be guessed.
 */
export function senders(sealer: Pick<Sealer, 'pseudonym'>): (res: Response) => Sender {
  const pseudonyms = new LRUCache<string, string>({ max: 5_000, memoMethod: sealer.pseudonym })
  return ({ locals }) => {
    const { caller, actor }: { caller?: UserKey; actor?: Actor } = locals
    if (actor !== undefined) return { actor: actor.id }
    return caller === undefined ? {} : { app_key: caller.appKey, user: pseudonyms.memo(`${caller.appKey}/${caller.userId}`) }
  }
}

/**
 * The secret of an unknown application, so that its check takes as long as the check of a wrong hash. It is random, so that no hash is
 * right.
 */
const NO_SECRETS: readonly Secret[] = [{ id: '', key: createSecretKey(randomBytes(32)), validUntil: Number.POSITIVE_INFINITY }]

/** Returns the secret that a hash was made with, if it is valid now. Compares the hash with all valid secrets, in constant time. */
function signingSecret(hash: string, secrets: readonly Secret[], userId: string): Secret | undefined {
  const isHex = HEX.test(hash)
  const given = isHex ? Buffer.from(hash, 'hex') : Buffer.alloc(32)
  const valid = validSecrets(secrets)
  const signing = valid.map((secret) => isDigestOf(given, secret, userId)).indexOf(true)
  return isHex ? valid[signing] : undefined
}

function isDigestOf(given: Buffer, { key }: Secret, userId: string): boolean {
  return timingSafeEqual(given, createHmac('sha256', key).update(userId).digest())
}

function credentialsOf(read: (header: string, name: string) => string | undefined): Credentials {
  return { appKey: read('app-key', 'app_key'), userId: read('user-id', 'user_id'), hash: read('hash', 'hash') }
}

/**
 * Returns the credentials of the query, if they are complete and differ from the credentials tried first. Published clients send both, and
 * their HTTP libraries change the characters of a User-ID beyond ASCII in a header, not in a query.
 */
function otherCredentials(req: Request, tried: Credentials): Credentials | undefined {
  const queried = credentialsOf((_header, name) => inQuery(req, name))
  const { appKey, userId, hash } = queried
  const complete = appKey !== undefined && userId !== undefined && hash !== undefined
  return complete && (appKey !== tried.appKey || userId !== tried.userId || hash !== tried.hash) ? queried : undefined
}

const BEYOND_ASCII = /[\u0080-\u00ff]/

/** Reads a header as UTF-8; Node decodes header bytes as Latin-1. */
function inHeaders({ headers }: Request, header: string, name: string): string | undefined {
  const raw = headers[header] ?? headers[name]
  if (typeof raw !== 'string' || raw === '') return undefined
  return BEYOND_ASCII.test(raw) ? Buffer.from(raw, 'latin1').toString('utf8') : raw
}

/** Ignores a query parameter that is sent more than once. */
function inQuery(req: Request, name: string): string | undefined {
  const value = req.query[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
