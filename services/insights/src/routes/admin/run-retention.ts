import * as endpoints from '@onward/contract'
import { EVENTS } from '../../retention/events.ts'
import { retain } from '../../retention/retain.ts'
import { adminRoute } from './admin-route.ts'

export const runRetention = adminRoute(endpoints.runRetention, async (ctx) => {
  const { made, dropped, deleted, quarantineDeleted, deliveriesDeleted } = await retain(ctx)
  return {
    made,
    dropped,
    deleted: [
      { table: `${EVENTS.table}_default`, rows: deleted },
      { table: 'quarantine', rows: quarantineDeleted },
      { table: 'delivery', rows: deliveriesDeleted },
    ],
  }
})
