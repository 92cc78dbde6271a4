import { createHash } from 'node:crypto'
import { type AppFunction, type Cursor, type FileContent, type FileContents, objectOf, sortKeys } from '@onward/catalog'
import type { ApprovalItem } from '@onward/contract'
import { parseJson, writeJson } from '@onward/json'
import { Refusal, type Sealer, type UserKey, uuidv7 } from '@onward/runtime'
import { dependenciesOf } from '../catalog/data-source.ts'
import type { Functions } from '../catalog/functions.ts'
import { readerOf } from '../catalog/reader-of.ts'
import type { Arguments } from '../catalog/validate.ts'
import type { Context } from '../context.ts'
import {
  type Approval,
  type Decision,
  findApproval,
  findOpenApproval,
  insertApproval,
  isApprovedWithOtherFiles,
  storeApprovalDecision,
} from '../db/approvals.ts'
import { callOriginOf } from './policy.ts'

/** Limits what can wait of one user and origin: an agent may repeat a call with ever new arguments, and must not use up the room of others. */
const MAX_PENDING = 100
/** The longest body of a request that is shown whole, in characters. */
const MAX_SHOWN = 20_000
/** The longest JSON of the arguments with which something is read before the decision, in characters. */
const MAX_READ = 5_000

/** A call that needs an approval. */
export type AskedCall = {
  readonly fn: AppFunction
  readonly args: Readonly<Record<string, unknown>>
  readonly accountId: number | null
  readonly cursor: Cursor | null
  readonly via: string | null
  /** The MCP token that the call is made with; null for none. */
  readonly tokenId: string | null
}

/** The request that a call would send, without secrets. */
export type ShownRequest = {
  readonly method: string
  readonly url: string
  readonly headers: readonly { readonly name: string; readonly value: string }[]
  readonly body: string | null
}

/** How a call asks. */
export type Asking = {
  /** Returns the page on which the user decides. */
  readonly urlOf: (id: string) => string
  readonly show: () => ShownRequest
  /** Returns the files of the call. What a URL returns can change, so their contents are part of what is approved. */
  readonly files: () => Promise<FileContents>
  /** Runs when the call first asks. */
  readonly requested: (id: string) => Promise<void>
}

/**
 * Returns the approval with which the call can be made. It belongs to this call alone: to the function with its version, the account, the
 * arguments and the contents of the files. Throws `approval_required` until somebody has approved the call, and `approval_refused` if somebody has
 * refused it.
 */
export async function requireApproval(
  { db, sealer }: Pick<Context, 'db' | 'sealer'>,
  caller: UserKey,
  call: AskedCall,
  message: string | null,
  { urlOf, show, files: load, requested }: Asking,
): Promise<string> {
  const { fn, accountId, via, tokenId } = call
  const files = describeFiles(await load())
  const asked = { ...caller, digest: digestOf(call), filesDigest: files.length === 0 ? null : sha256(JSON.stringify(files)) }
  let found = await findOpenApproval(db, asked)
  if (found === undefined) {
    const id = uuidv7()
    const sealedRequest = sealer.seal(JSON.stringify({ ...cut(show()), files, args: argumentsToRead(call) }), approvalRow(id))
    const names = { app: fn.app.name, functionName: fn.name, accountId }
    found = await insertApproval(db, { id, ...asked, ...names, sealedRequest, via, tokenId, message }, MAX_PENDING)
    if (found === undefined) {
      const origin = tokenId === null ? '' : ' that were made with this token'
      const text = `${MAX_PENDING} calls of this user${origin} wait for an approval; decide on them first`
      throw new Refusal('too_many_approvals', text)
    }
    if (found.id === id) await requested(id)
  }
  if (found.state === 'approved') return found.id
  if (found.state === 'refused') {
    throw new Refusal('approval_refused', found.reason ?? `this call of ${fn.name} was refused`)
  }
  const changed = asked.filesDigest !== null && (await isApprovedWithOtherFiles(db, asked))
  const text = changed
    ? `a file of this call of ${fn.name} has changed since the call was approved, so it needs a new approval; send a file that often changes as base64`
    : (message ?? `this call of ${fn.name} needs an approval before it runs`)
  throw new Refusal('approval_required', text, [], { approval: { id: found.id, url: urlOf(found.id) } })
}

/** The path of the page on which a user decides. The id of the approval follows. */
const APPROVAL_PATH = '/oauth/approvals'

export function approvalUrl(publicUrl: string, id: string): string {
  return `${publicUrl}${APPROVAL_PATH}/${id}`
}

/** What was approved for the application is not approved for an MCP client, and the other way round. Each token has its own approvals. */
function digestOf({ fn, args, accountId, cursor, via, tokenId }: AskedCall): Buffer {
  return sha256(writeJson(sortKeys([fn.name, fn.version, accountId, args, cursor, tokenId ?? callOriginOf(via)])))
}

function sha256(bytes: string | Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Describes the files by their places in the arguments, in order. */
function describeFiles(files: FileContents): ApprovalItem['files'] {
  const describe = (place: string, { name, contentType, bytes }: FileContent) => {
    return { parameter: place, name, content_type: contentType, size: bytes.length, sha256: sha256(bytes).toString('hex') }
  }
  return Object.entries(files).flatMap(([name, content]) =>
    'bytes' in content ? describe(name, content) : content.map((each, index) => describe(`${name}[${index}]`, each)),
  )
}

/** What is sealed: the request, how many characters of its body are missing, its files, and `argumentsToRead`. */
type Sealed = Pick<ApprovalItem, 'request' | 'hidden_characters'> & { readonly files?: ApprovalItem['files']; readonly args?: string }

function cut({ method, url, headers, body }: ShownRequest): Omit<Sealed, 'files' | 'args'> {
  const shown = body === null ? null : body.slice(0, MAX_SHOWN)
  return {
    request: { method, url, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])), body: shown },
    hidden_characters: (body?.length ?? 0) - (shown?.length ?? 0),
  }
}

/**
 * Returns as JSON the arguments with which other functions are called before the decision: those whose values a function lists, those that this
 * function needs, and those that name the object which the call changes. Leaves out what is too long for ids.
 */
function argumentsToRead({ fn, args }: AskedCall): string {
  const listed = Object.entries(fn.sources).flatMap(([name, source]) => [name, ...dependenciesOf(fn, name, source)])
  const names = [...listed, ...(readerOf(fn)?.parameters.required ?? [])]
  const json = writeJson(objectOf([...new Set(names)].flatMap((name) => (args[name] === undefined ? [] : [[name, args[name]]]))))
  return json.length > MAX_READ ? '{}' : json
}

/** Returns what is sealed of a call, with the arguments to read. */
export function openSealed(sealer: Sealer, { id, sealedRequest }: Approval) {
  const { files = [], args = '{}', ...rest }: Sealed = JSON.parse(sealer.open(sealedRequest, approvalRow(id)))
  return { ...rest, files, args: parseJson(args) as Arguments }
}

/** The sealer binds the request of an approval to its row. */
function approvalRow(id: string): string {
  return `approval/${id}`
}

/** Converts an approval to its wire form. */
export function presentApproval(sealer: Sealer, functions: Functions, approval: Approval): ApprovalItem {
  const { request, hidden_characters, files } = openSealed(sealer, approval)
  const { functionName, account, token } = approval
  return {
    id: approval.id,
    state: approval.state,
    user_id: approval.userId,
    app: approval.app,
    function_name: functionName,
    function_title: functions.get(functionName)?.fn.title ?? functionName,
    account: account && { id: account.id, display_name: account.displayName },
    request,
    hidden_characters,
    files,
    via: approval.via,
    token: token && { id: token.id, name: token.name, redirect_host: token.redirectHost },
    message: approval.message,
    created_at: approval.createdAt.toISOString(),
    expires_at: approval.expiresAt.toISOString(),
    decided_at: approval.decidedAt?.toISOString() ?? null,
    decided_by: approval.decidedBy,
    reason: approval.reason,
    call_id: approval.callId,
  }
}

/** Stores a decision on a pending approval, and returns it. Throws `already_decided`. */
export async function decide({ db }: Pick<Context, 'db'>, approval: Approval, decision: Decision): Promise<Approval> {
  const stored = await storeApprovalDecision(db, approval, decision)
  const decided = await findApproval(db, { appKey: approval.appKey }, approval.id)
  if (!stored || decided === undefined) throw new Refusal('already_decided', 'somebody has decided on this approval, or it has expired')
  return decided
}
