import * as endpoints from '@onward/contract'
import { readCursor, writeCursor } from '@onward/runtime'
import { rebuildPage } from '../../repair/rebuild-page.ts'
import { adminRoute } from './admin-route.ts'

export const rebuildUsage = adminRoute(endpoints.rebuildUsage, async (ctx, { body }) => {
  const [appKey, userId] = readCursor(body._cursor, ['string', 'string']) ?? ['', '']
  const { last, ...figures } = await rebuildPage(ctx, body.app_key, { appKey, userId }, body.dry_run)
  return { ...figures, _cursor: last === undefined ? null : writeCursor([last.appKey, last.userId]) }
})
