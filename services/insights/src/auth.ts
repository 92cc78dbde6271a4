import { type Actor, type Guard, plainActor } from '@onward/access'
import { type ApiKeyScope, scopeOf } from '@onward/contract'
import { addressOf, Refusal, type Sender } from '@onward/runtime'
import type { RequestHandler, Response } from 'express'
import type { Context } from './context.ts'
import { digestOfKey, findWorkspaceOfKey, type KeyHolder, touchWorkspaceKey } from './db/workspace-keys.ts'

/** The workspace whose API key the request carries. A person, who uses the endpoints in the console, has no key. */
export type Caller = { readonly workspaceId: string; readonly key?: KeyHolder['key'] }

/**
 * Returns middleware that finds the caller by its API key, and counts the request against the workspace's rate limit. It reads the key from
 * the header only: a key in the query would appear in logs.
 */
export function authenticate({ db, rateLimits, log }: Pick<Context, 'db' | 'rateLimits' | 'log'>): RequestHandler {
  const { wrongCredentials } = rateLimits
  return async (req, res, next) => {
    const key = req.headers['api-key']
    const digest = digestOfKey(typeof key === 'string' ? key : '')
    const [address, credential] = [addressOf(req), digest.toString('base64')]
    wrongCredentials.check(address, credential)
    const holder = key === undefined ? undefined : await findWorkspaceOfKey(db, digest)
    if (holder === undefined || holder.isExpired) {
      wrongCredentials.count(address)
      const details = holder === undefined ? malformed(key) : ['api-key: has expired; an owner of the workspace can create another one']
      throw new Refusal('unauthenticated', 'send a valid API key of a workspace in the header api-key', details)
    }
    wrongCredentials.trust(address, credential)
    const { workspaceId, rateLimit, isUseStale } = holder
    countRequest({ rateLimits }, res, workspaceId, rateLimit)
    const caller: Caller = { workspaceId, key: holder.key }
    res.locals.caller = caller
    // The request does not wait for it, and works without it.
    if (isUseStale) touchWorkspaceKey(db, holder.key.id).catch((err) => log.warn({ err }, 'the last use of an API key was not stored'))
    next()
  }
}

/** Counts a request to the partner API against the rate limit of the workspace. Throws `rate_limited`. */
export function countRequest({ rateLimits }: Pick<Context, 'rateLimits'>, res: Response, workspaceId: string, quota: number): void {
  rateLimits.count(res, [{ name: 'workspace', key: workspaceId, quota }])
}

/** The guard of the partner API: an API key may use what its scopes allow. The handlers confine themselves to the caller's workspace. */
export const admitKey: Guard = async (endpoint, _req, res) => {
  const caller: Caller = res.locals.caller
  const { workspaceId, key } = caller
  const scope = scopeOf(endpoint)
  if (scope === undefined || key === undefined) throw new Error(`${endpoint.path} has no scope`)
  requireScope(caller, scope)
  return {
    actor: plainActor('api-key', key.id, key.name),
    workspaceId,
  }
}

/** Throws `scope_required` if the API key of the request does not have the scope. People have roles in place of scopes. */
export function requireScope({ key }: Caller, scope: ApiKeyScope): void {
  if (key === undefined || key.scopes.includes(scope)) return
  throw new Refusal('scope_required', `this needs an API key with the scope ${scope}`, [`api-key: has the scopes ${key.scopes.join(', ')}`])
}

/** Returns a problem if the API key is missing, or cannot be a key of any workspace. */
function malformed(key: unknown): string[] {
  if (typeof key !== 'string' || key === '') return ['api-key: is missing; send it as a header, not in the query']
  return API_KEY.test(key) ? [] : ['api-key: must be onw_pk_ and 49 further characters, or pk_ and 43']
}

/** Keys that version 0.1.0 made begin with `pk_`. */
const API_KEY = /^(?:onw_pk_[A-Za-z0-9]{49}|pk_[\w-]{43})$/

/** Returns the workspace that sent a request, for log lines. */
export function senderOf(res: Response): Sender {
  const { caller, actor }: { caller?: Caller; actor?: Actor } = res.locals
  if (actor !== undefined) return { actor: actor.id }
  return caller === undefined ? {} : { workspace: caller.workspaceId }
}
