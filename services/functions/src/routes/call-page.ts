import type { CallOutcome } from '@onward/contract'
import { isUuid, Refusal, readCursor, writeCursor } from '@onward/runtime'
import type { Context } from '../context.ts'
import { type LoggedCall, selectCalls } from '../db/calls.ts'

type Filters = {
  readonly function_name?: string
  readonly app?: string
  readonly outcome?: CallOutcome
  readonly since?: string
  readonly until?: string
  readonly internal?: boolean
  readonly page_size: number
}

/** A page of the calls log within the caller's reach: one user's rows, or everybody's for the admin API. */
export async function pageOfCalls(
  ctx: Context,
  reach: { appKey?: string | undefined; userId?: string | undefined },
  filters: Filters,
  cursor: string | null | undefined,
): Promise<{ page: LoggedCall[]; _cursor: string | null }> {
  const before = readCursor(cursor, ['string'])?.[0] ?? null
  if (before !== null && !isUuid(before)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier answer of this list'])
  }
  const { function_name: functionName, app, outcome, since, until, internal = false, page_size: size } = filters
  const filter = { ...reach, functionName, app, outcome, since: readTime('since', since), until: readTime('until', until), internal }
  const rows = await selectCalls(ctx.db, filter, before, size + 1)
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { page, _cursor: rows.length > size && last !== undefined ? writeCursor([last.id]) : null }
}

/** Leap seconds are a valid date-time that no clock of ours can say. */
function readTime(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time
  throw new Refusal('invalid_parameters', 'the parameters are not valid', [`${name}: must be a valid date-time`])
}
