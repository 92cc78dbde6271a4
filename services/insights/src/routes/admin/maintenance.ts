import * as endpoints from '@onward/contract'
import { readCursor, reseal, writeCursor } from '@onward/runtime'
import { EVENT_PARTITIONS } from '../../db/task-events.ts'
import { rebuildPage } from '../../maintenance/rebuild-usage.ts'
import { retain } from '../../maintenance/retain.ts'
import { SEALED_COLUMNS } from '../../webhooks/signing-secrets.ts'
import { adminRoute } from '../route.ts'

export const rebuildUsageRoute = adminRoute(endpoints.rebuildUsage, async (ctx, { body }) => {
  const [appKey, userId] = readCursor(body._cursor, ['string', 'string']) ?? ['', '']
  const { last, ...figures } = await rebuildPage({ ...ctx, db: ctx.slowDb }, body.app_key, { appKey, userId }, body.dry_run)
  return { ...figures, _cursor: last === undefined ? null : writeCursor([last.appKey, last.userId]) }
})

export const runRetentionRoute = adminRoute(endpoints.runRetention, async (ctx) => {
  const { made, dropped, deleted, quarantineDeleted, deliveriesDeleted } = await retain(ctx)
  return {
    made,
    dropped,
    deleted: [
      { table: `${EVENT_PARTITIONS.table}_default`, rows: deleted },
      { table: 'quarantine', rows: quarantineDeleted },
      { table: 'delivery', rows: deliveriesDeleted },
    ],
  }
})

export const resealSecretsRoute = adminRoute(endpoints.resealSecrets, (ctx) => reseal(ctx.slowDb, ctx.sealer, SEALED_COLUMNS))
