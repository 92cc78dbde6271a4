import { deleteImportedApp } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { deleteImportedApp as deleteRow } from '../../db/imported-apps.ts'
import { route } from '../route.ts'

export const deleteImportedAppRoute = route(deleteImportedApp, async (ctx, { params }) => {
  if (!(await deleteRow(ctx.db, params.name))) throw new Refusal('app_not_found', 'there is no such imported app')
  await ctx.catalog.refresh()
  return { success: true as const }
})
