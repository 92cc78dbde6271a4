import { runRetention } from '@onward/contract'
import { CALLS, retain } from '../../call/retain.ts'
import { route } from '../route.ts'

export const runRetentionRoute = route(runRetention, async (ctx) => {
<<<<<<< HEAD
  const { made, dropped, deleted } = await retain(ctx.db, ctx.config.callsKeptDays, ctx.config.databaseDirectUrl)
=======
  const { made, dropped, deleted } = await retain(ctx.db, ctx.callsKeptDays)
>>>>>>> b4ab60f (Create partitions far ahead and drop them by name)
  return { made, dropped, deleted: [{ table: `${CALLS.table}_default`, rows: deleted }] }
})
