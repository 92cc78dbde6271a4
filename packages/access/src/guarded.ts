import { createHash, timingSafeEqual } from 'node:crypto'
import type { EndpointShape } from '@onward/contract'
import { addressOf, type RateLimits, Refusal, type RouteGuard } from '@onward/runtime'
import type { Request, RequestHandler, Response } from 'express'
import { type AuditLog, type NoteChange, recordChange, recordDenial, recordRead } from './audit.ts'
import { type Actor, BOOTSTRAP, Denial, type Guard } from './guard.ts'

/** What the handlers of routes get beside the parameters of a request. */
export type RouteEntry = {
  /** Who uses the admin API; undefined for a request of the two areas. */
  readonly actor: Actor | undefined
  /** The workspace that the guard confines the request to. Null where it does not, for example for an operator who names none. */
  readonly workspaceId: string | null
  /** Tells the audit log what the request changed, as the API presents it. Without it, the audit log shows the body. */
  readonly noteChange: NoteChange
}

const ignore: NoteChange = () => {}
const NO_ENTRY: RouteEntry = { actor: undefined, workspaceId: null, noteChange: ignore }

/** The guard of routes that every request which reaches them may use. */
export const unguarded: RouteGuard = () => ({ errors: [], admit: () => ({ run: (_checked, handle) => handle(NO_ENTRY) }) })

/**
 * Returns the guard of routes that `guard` protects. The audit log gets what they change, which sensitive data they show, and what `guard`
 * denies. Throws if an endpoint does not say who may use it or what it changes.
 */
export function guarded(guard: Guard, audit?: AuditLog): RouteGuard {
  return (endpoint) => {
    requireAccess(endpoint)
    const changes = typeof endpoint.action === 'string'
    return {
      errors: ['role_required'],
      async admit(req, res) {
        const admitted = await guard(endpoint, req, res).catch(noteDenial(audit, endpoint, req, res))
        return {
          async run(checked, handle) {
            const act = (noteChange: NoteChange) => handle({ ...admitted, noteChange })
            if (audit === undefined) return await act(ignore)
            const response = changes ? await recordChange(audit, endpoint, admitted, checked, { req, res }, act) : await act(ignore)
            if (endpoint.reads !== undefined) await recordRead(audit, endpoint, admitted, checked.query, req, res)
            return response
          },
        }
      },
    }
  }
}

function requireAccess({ method, path, access, action }: EndpointShape): void {
  if (access === undefined) throw new Error(`${method} ${path} does not say who may use it`)
  if (method !== 'get' && action === undefined) throw new Error(`${method} ${path} does not say what it changes`)
}

/** Returns a function that throws the error of a guard, after recording it if it belongs in the audit log. */
function noteDenial(audit: AuditLog | undefined, endpoint: EndpointShape, req: Request, res: Response): (err: unknown) => Promise<never> {
  return async (err) => {
    if (err instanceof Denial && audit !== undefined) await recordDenial(audit, endpoint, err, req, res)
    throw err
  }
}

/** Returns a handler that admits the holder of ADMIN_TOKEN as the actor `BOOTSTRAP`, and refuses everybody else. */
export function requireAdminToken(token: string, { wrongCredentials }: Pick<RateLimits, 'wrongCredentials'>): RequestHandler {
  const expected = digest(`Bearer ${token}`)
  return (req, res, next) => {
    const address = addressOf(req)
    wrongCredentials.check(address, 'admin')
    if (!timingSafeEqual(digest(req.headers.authorization ?? ''), expected)) {
      wrongCredentials.count(address)
      throw new Refusal('unauthenticated', 'send the admin token as Authorization: Bearer')
    }
    wrongCredentials.trust(address, 'admin')
    res.locals.actor = BOOTSTRAP
    next()
  }
}

/** Returns a digest to compare. Digests have equal lengths, so the comparison takes the same time for every token. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
