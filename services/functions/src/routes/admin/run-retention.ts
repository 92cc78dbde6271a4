import { runRetention } from '@onward/contract'
import { CALLS, retain } from '../../call/retain.ts'
import { route } from '../route.ts'

export const runRetentionRoute = route(runRetention, async (ctx) => {
  const { made, dropped, deleted } = await retain(ctx.db, ctx.config.callsKeptDays)
  return { made, dropped, deleted: [{ table: `${CALLS.table}_default`, rows: deleted }] }
})
