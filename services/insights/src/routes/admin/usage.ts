import * as endpoints from '@onward/contract'
import { HOUR_MS } from '@onward/contract'
import { Refusal, readCursor, writeCursor } from '@onward/runtime'
import { selectAllAppKeys } from '../../db/applications.ts'
import { readTasksBetween } from '../../db/periods.ts'
import { readNow } from '../../db/tables.ts'
import { MAX_AGE_MS } from '../../usage/count.ts'
import { adminRoute, invalidParameters, requireWorkspace } from '../route.ts'

/** A transaction that counted the last event in time has ended by then. */
const MARGIN_MS = HOUR_MS

export const readMonthUsageRoute = adminRoute(endpoints.readMonthUsage, async (ctx, { params, query }) => {
  const { month } = params
  const [, year, number] = /^(20\d{2})-(0[1-9]|1[0-2])$/.exec(month) ?? []
  if (number === undefined) throw invalidParameters('month: must be a month such as 2026-10')
  const { id } = await requireWorkspace(ctx.db, params.workspace_id)
  const all = await selectAllAppKeys(ctx.db, id)
  const appKeys = all.filter((appKey) => query.app_key === undefined || appKey === query.app_key)
  if (query.app_key !== undefined && appKeys.length === 0) throw new Refusal('application_not_found', 'there is no such application')
  const end = new Date(Date.UTC(Number(year), Number(number), 1))
  const finalAt = new Date(+end + MAX_AGE_MS + MARGIN_MS)
  // Before the tasks are read, so that these are the last ones if the month is final.
  const final = (await readNow(ctx.db)) >= finalAt
  const [appKey = '', userId = ''] = readCursor(query._cursor, ['string', 'string']) ?? []
  const days = { first: `${month}-01`, until: end.toISOString().slice(0, 10) }
  const users = await readTasksBetween(ctx.slowDb, appKeys, days, { appKey, userId }, query.page_size + 1)
  const page = users.slice(0, query.page_size)
  const last = users.length > page.length ? page.at(-1) : undefined
  const cursor = last === undefined ? null : writeCursor([last.app_key, last.user_id])
  return { month, final, final_at: finalAt.toISOString(), users: page, _cursor: cursor }
})
