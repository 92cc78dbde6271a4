import type { AppFunction, Source } from '@onward/catalog'
import type { ApprovalBackground } from '@onward/contract'
import { inTime } from '@onward/runtime'
import { resolve, resolveArguments } from '../call/resolve.ts'
import { sourceBody } from '../catalog/data-source.ts'
import type { Arguments } from '../catalog/validate.ts'
import type { Approval } from '../db/approvals.ts'
import { openSealed } from '../policy/approvals.ts'
import { verdictOn } from '../policy/enforce.ts'
import { listOptions } from '../predict/names/list-options.ts'
import type { Listed } from '../predict/names/options.ts'
import type { BackgroundParts } from './parts.ts'

type NamedIds = ApprovalBackground['ids'][number]

/** The time for calling the user's app, for all names together. A page waits for it. */
const DEADLINE_MS = 4_000
/** Additional time to log the calls. */
const GRACE_MS = 500
const MAX_IDS = 20

/**
 * Looks up the names of the ids in a call that waits for an approval, such as "general" for C024BE91L, in the lists that its parameters name. Reads
 * a list with the account of the call, and only if the rules of the application allow that. These calls are logged as internal and count no tasks.
 * Never throws.
 */
export async function namesOfIds(parts: BackgroundParts, approval: Approval): Promise<NamedIds[]> {
  const fn = parts.catalog.current.functions.get(approval.functionName)?.fn
  if (fn === undefined) return []
  const { args } = openSealed(parts.sealer, approval)
  const sources = Object.entries(fn.sources).filter(([parameter]) => args[parameter] !== undefined)
  const deadline = Date.now() + DEADLINE_MS
  return await Promise.all(
    sources.map(async ([parameter, source]) => {
      const listing = optionsOf(parts, approval, { fn, parameter, source, args, deadline })
      const listed = await inTime(DEADLINE_MS + GRACE_MS, listing).catch((err: unknown) => {
        parts.log.info({ err, function: source.function }, 'the names of ids could not be looked up')
        return undefined
      })
      const nameOf = (id: string) => listed?.options.find(({ value }) => String(value) === id)?.label ?? null
      const ids = [args[parameter]].flat().map(String)
      const shown = ids.slice(0, MAX_IDS).map((id) => ({ id, name: nameOf(id) }))
      return { parameter, title: fn.parameters.properties[parameter]?.title ?? parameter, ids: shown, more: ids.length - shown.length }
    }),
  )
}

type Looking = {
  readonly fn: AppFunction
  readonly parameter: string
  readonly source: Source
  readonly args: Arguments
  readonly deadline: number
}

/** Throws a Refusal if the list cannot be read as any caller could read it. */
async function optionsOf(
  parts: BackgroundParts,
  { appKey, userId, account, via }: Approval,
  { fn, parameter, source, args, deadline }: Looking,
): Promise<Listed> {
  const caller = { appKey, userId }
  // A blocked user's app is not called.
  if (parts.blocking.blockedMs(caller) > 0) return undefined
  const found = await resolve(parts, parts.catalog.current.functions, caller, source.function, account ? String(account.id) : undefined)
  const ruled = { via, rules: [] }
  const sent = { args: sourceBody(fn, parameter, source), variables: args, form: false, ...ruled }
  const given = await resolveArguments(parts, caller, found.callable, sent)
  const list = found.callable.fn
  if ((await verdictOn(parts, caller, { fn: list, args: given, ...ruled })).result !== 'allow') return undefined
  // The cache of predictions can hold old names. A program could rename a channel and then ask.
  return await listOptions(parts, caller, source, { fn: list, args: given, account: found.account, deadline })
}
