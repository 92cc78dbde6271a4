import { createHash, randomBytes } from 'node:crypto'
import { type Actor, addressOf, type Guard, type RateLimits, Refusal, type Sender } from '@onward/runtime'
import type { RequestHandler, Response } from 'express'
import type { Db } from './db/tables.ts'
import { findWorkspaceOfKey } from './db/workspace-keys.ts'

/** The workspace whose API key the request carries. */
export type Caller = { readonly workspaceId: string }

/**
 * Returns middleware that finds the caller by its API key, and counts the request against the workspace's rate limit. It reads the key from
 * the header only: a key in the query would appear in logs.
 */
export function authenticate(db: Db, rateLimits: RateLimits): RequestHandler {
  const { wrongCredentials } = rateLimits
  return async (req, res, next) => {
    const key = req.headers['api-key']
    const digest = digestOfKey(typeof key === 'string' ? key : '')
    const [address, credential] = [addressOf(req), digest.toString('base64')]
    wrongCredentials.check(address, credential)
    const workspace = key === undefined ? undefined : await findWorkspaceOfKey(db, digest)
    if (workspace === undefined) {
      wrongCredentials.count(address)
      throw new Refusal('unauthenticated', 'send a valid API key of a workspace in the header api-key', malformed(key))
    }
    wrongCredentials.trust(address, credential)
    rateLimits.count(res, [{ name: 'workspace', key: workspace.id, quota: workspace.rateLimit }])
    const caller: Caller = { workspaceId: workspace.id }
    res.locals.caller = caller
    next()
  }
}

/** The guard of the partner API: an API key may use all of its own workspace. The handlers confine themselves to the caller. */
export const admitKey: Guard = async (_endpoint, _req, res) => {
  const { workspaceId: id }: Caller = res.locals.caller
  return { actor: { kind: 'api-key', id, name: id, sessionId: null, operator: false, roles: {} }, workspaceId: id }
}

/** Returns a problem if the API key is missing, or cannot be a key of any workspace. */
function malformed(key: unknown): string[] {
  if (typeof key !== 'string' || key === '') return ['api-key: is missing; send it as a header, not in the query']
  return API_KEY.test(key) ? [] : ['api-key: must be pk_ and 43 further characters']
}

const API_KEY = /^pk_[\w-]{43}$/

/** Returns the workspace that sent a request, for log lines. */
export function senderOf(res: Response): Sender {
  const { caller, actor }: { caller?: Caller; actor?: Actor } = res.locals
  if (actor !== undefined) return { actor: actor.id }
  return caller === undefined ? {} : { workspace: caller.workspaceId }
}

/** Returns a new API key of a workspace. It is shown once; only its digest is stored. */
export function newApiKey(): string {
  return `pk_${randomBytes(32).toString('base64url')}`
}

/** Returns the SHA-256 digest that is stored instead of an API key. Keys are long and random, so a slow hash would add no security. */
export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
