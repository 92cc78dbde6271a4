import { listConnectedAccounts } from '@onward/contract'
import { Refusal } from '@onward/runtime'
import { presentAccount } from '../../catalog/present-account.ts'
import { applicationExists } from '../../db/applications.ts'
import { selectAccounts } from '../../db/connected-accounts.ts'
import { route } from '../route.ts'

export const listConnectedAccountsRoute = route(listConnectedAccounts, async (ctx, { params, query }) => {
  if (!(await applicationExists(ctx.db, params.app_key))) throw new Refusal('application_not_found', 'there is no such application')
  const accounts = await selectAccounts(ctx.db, params.app_key, { userId: query.user_id, app: query.app })
  return { connected_accounts: accounts.map((account) => ({ ...presentAccount(account), user_id: account.userId, app: account.app })) }
})
