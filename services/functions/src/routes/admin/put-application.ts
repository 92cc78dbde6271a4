import { putApplication } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { insertApplication, renameApplication, secretRow } from '../../db/applications.ts'
import { newSecret } from '../../new-secret.ts'
import { route } from '../route.ts'

export const putApplicationRoute = route(putApplication, async (ctx, { params, body }) => {
  const { app_key: appKey } = params
  const { workspace_id, name } = body
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(appKey)) {
    throw new Refusal('invalid_parameters', 'the parameters are not valid', ['app_key: must be letters, digits, - and _, at most 100'])
  }
  const secret = newSecret()
  const sealedSecret = ctx.sealer.seal(secret, secretRow(appKey))
  const created = await insertApplication(ctx.db, { appKey, workspaceId: workspace_id, name, sealedSecret })
  if (!created && !(await renameApplication(ctx.db, appKey, workspace_id, name))) {
    throw new Refusal('belongs_to_other_workspace', 'this App-Key belongs to another workspace')
  }
  return { app_key: appKey, workspace_id, name, created, ...(created ? { app_secret: secret } : {}) }
})
