import * as endpoints from '@onward/contract'
import { readHours } from '@onward/contract'
import { readCursor, readSpan, reseal, type SealedColumn, writeCursor } from '@onward/runtime'
import { EVENT_PARTITIONS, readEventHours } from '../../db/task-events.ts'
import { rebuildPage } from '../../maintenance/rebuild-usage.ts'
import { retain } from '../../maintenance/retain.ts'
import { secretRow } from '../../webhooks/signing-secrets.ts'
import { adminRoute } from '../route.ts'

export const rebuildUsageRoute = adminRoute(endpoints.rebuildUsage, async (ctx, { body }) => {
  const [appKey, userId] = readCursor(body._cursor, ['string', 'string']) ?? ['', '']
  const { last, ...figures } = await rebuildPage({ ...ctx, db: ctx.slowDb }, body.app_key, { appKey, userId }, body.dry_run)
  return { ...figures, _cursor: last === undefined ? null : writeCursor([last.appKey, last.userId]) }
})

export const readEventHoursRoute = adminRoute(endpoints.readEventHours, async (ctx, { query }) => {
  const { since, until } = readSpan(query)
  return { hours: await readHours(since, until, (from, to) => readEventHours(ctx.slowDb, from, to)) }
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

const SEALED: readonly SealedColumn[] = [
  { table: 'subscription', column: 'sealed_secret', key: ['id'], row: secretRow },
  { table: 'subscription', column: 'previous_sealed_secret', key: ['id'], row: secretRow },
]

export const resealSecretsRoute = adminRoute(endpoints.resealSecrets, (ctx) => reseal(ctx.slowDb, ctx.sealer, SEALED))
