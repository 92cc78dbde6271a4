import type { EndpointShape, ErrorCode } from '@onward/contract'
import { expectedRefusal, refusalOf, requestIdOf } from '@onward/runtime'
import type { Request, Response } from 'express'
import { type Actor, type Admitted, type Denial, NOBODY } from './guard.ts'

/** A request in the audit log. `target` has the parameters that say what it is about. */
export type AuditedRequest = {
  readonly actor: Actor
  readonly workspaceId: string | null
  readonly action: string
  readonly target: Readonly<Record<string, string>>
} & Origin

/** Where an audited request came from. `address` is the client's address, as the gateway reports it. */
export type Origin = { readonly requestId: string; readonly address: string | null; readonly userAgent: string | null }

/** Maximum number of characters of `User-Agent` in an entry. */
const MAX_USER_AGENT = 256

/** Returns where a request came from. A `User-Agent` that was cut ends with `…`, which no header can contain. */
export function originOf(req: Request, res: Response): Origin {
  const { 'user-agent': userAgent } = req.headers
  return {
    requestId: requestIdOf(res),
    // A proxy can forward anything.
    address: req.ip?.slice(0, 64) ?? null,
    userAgent:
      userAgent !== undefined && userAgent.length > MAX_USER_AGENT ? `${userAgent.slice(0, MAX_USER_AGENT)}…` : (userAgent ?? null),
  }
}

/** What a change did. `before` and `after` hold no secrets. */
export type AuditedChange = {
  readonly outcome: 'done' | 'refused' | 'failed'
  readonly code: ErrorCode | null
  readonly before: unknown
  readonly after: unknown
}

/** Records every change, and sensitive reads. `begin` returns the id of the entry; an entry that is never ended stays `started`. */
export type AuditLog = {
  begin(request: AuditedRequest): Promise<string>
  /** Does not reject: the change was made, and its entry exists. */
  end(id: string, change: AuditedChange): Promise<void>
  denied(request: AuditedRequest, code: ErrorCode): Promise<void>
  /** Records the first read of a target by an actor in each hour. */
  read(request: AuditedRequest): Promise<void>
}

/** Called by a handler with what was changed, as the API presents it, without secrets. */
export type NoteChange = (before: unknown, after: unknown) => void

/** Returns the stored values that a body replaces, for the audit log. Fields that the body leaves out stay as they are. */
export function replacedBy(body: object, stored: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(stored).filter(([name]) => Object.hasOwn(body, name)))
}

/** Parts of a request that was checked. */
type Checked = { readonly query: unknown; readonly body: unknown }

/** Runs a change and records it: before it begins, and when it has ended. */
export async function recordChange<T>(
  audit: AuditLog,
  endpoint: EndpointShape,
  { actor, workspaceId }: Admitted,
  checked: Checked,
  { req, res }: { readonly req: Request; readonly res: Response },
  change: (noteChange: NoteChange) => Promise<T>,
): Promise<T> {
  const target = { ...textsOf(req.params), ...textsOf(checked.query) }
  const entry = { actor: actor ?? NOBODY, workspaceId, action: endpoint.action ?? '', target, ...originOf(req, res) }
  return await recordEntry(audit, entry, withoutSecrets(endpoint, checked.body), change)
}

/** Runs a change and records it: before it begins, and when it has ended. `after` is what the entry shows, unless the change notes it. */
export async function recordEntry<T>(
  audit: AuditLog,
  entry: AuditedRequest,
  after: unknown,
  change: (noteChange: NoteChange) => Promise<T>,
): Promise<T> {
  const id = await audit.begin(entry)
  let noted: { before: unknown; after: unknown } = { before: null, after }
  try {
    const response = await change((before, after) => {
      noted = { before, after }
    })
    await audit.end(id, { outcome: 'done', code: null, ...noted })
    return response
  } catch (err) {
    const outcome = expectedRefusal(err) === undefined ? 'failed' : 'refused'
    // Nothing was changed. What was refused can be a secret in the wrong place, such as a password in a URL.
    await audit.end(id, { outcome, code: refusalOf(err).code, before: null, after: null })
    throw err
  }
}

/** Records a sensitive read of a person. Programs with an API key read all the time. */
export async function recordRead(
  audit: AuditLog,
  { reads = '' }: EndpointShape,
  { actor, workspaceId }: Admitted,
  query: unknown,
  req: Request,
  res: Response,
): Promise<void> {
  if (actor === undefined || actor.kind === 'api-key') return
  const { app_key } = Object(query)
  const target = textsOf({ ...req.params, ...(app_key !== undefined && { app_key }) })
  await audit.read({ actor, workspaceId, action: reads, target, ...originOf(req, res) })
}

/** Records an attempt that the guard denied. Reads are recorded too: they can be attempts to look into another workspace. */
export async function recordDenial(audit: AuditLog, endpoint: EndpointShape, denial: Denial, req: Request, res: Response): Promise<void> {
  const action = endpoint.action ?? 'read'
  const target = { ...textsOf(req.params), path: endpoint.path }
  const { actor = NOBODY } = res.locals as { actor?: Actor }
  await audit.denied({ actor, workspaceId: denial.workspaceId, action, target, ...originOf(req, res) }, denial.code)
}

/** Returns the values as text, for the target of an entry. */
export function textsOf(values: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(Object(values)).map(([name, value]) => [name, String(value)]))
}

/** Maximum number of items of a list that an entry shows. */
const MAX_ITEMS = 20

/**
 * Returns a body as the audit log shows it: without the fields that are `writeOnly`, and the beginning of a list. Of an open body, which
 * contains the arguments of a function, nothing is shown.
 */
export function withoutSecrets({ body: schema }: EndpointShape, body: unknown): unknown {
  if (Array.isArray(body)) return { items: body.length, first: body.slice(0, MAX_ITEMS) }
  if (schema?.additionalProperties !== false || typeof body !== 'object' || body === null) return null
  const secret = ([, property]: [string, unknown]) => Object(property).writeOnly === true
  const hidden = Object.entries(schema.properties ?? {})
    .filter(secret)
    .map(([name]) => name)
  return Object.fromEntries(Object.entries(body).filter(([name]) => !hidden.includes(name)))
}
