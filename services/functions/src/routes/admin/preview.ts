import { previewCall } from '@onward/contract'
import { preview } from '../../call/preview.ts'
import type { Variables } from '../../catalog/variables.ts'
import { requireApplication } from '../../db/applications.ts'
import { route } from '../route.ts'

export const previewCallRoute = route(previewCall, async (ctx, { params, query, body }) => {
  const { app_key: appKey, user_id: userId, function_name: name } = params
  await requireApplication(ctx.db, appKey)
  const { _variables, _cursor, _fields: _, ...args } = body
  const { hasFiles, accountId, headers, ...shown } = await preview(
    ctx,
    { appKey, userId },
    {
      name,
      args,
      form: false,
      variables: (_variables ?? null) as Variables | null,
      cursor: _cursor ?? query._cursor,
      fields: null,
      accountId: query.connected_account_id,
      via: 'console',
    },
  )
  return { ...shown, headers: [...headers], body_is_binary: hasFiles, account_id: accountId }
})
