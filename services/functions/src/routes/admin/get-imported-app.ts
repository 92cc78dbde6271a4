import { getImportedApp } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { findImportedApp } from '../../db/imported-apps.ts'
import { route } from '../route.ts'

export const getImportedAppRoute = route(getImportedApp, async (ctx, { params }) => {
  const found = await findImportedApp(ctx.db, params.name)
  if (found === undefined) throw new Refusal('app_not_found', 'there is no such imported app')
  const { name, version, file, modifiedAt } = found
  return { name, version, file: JSON.parse(file), modified_at: modifiedAt.toISOString() }
})
