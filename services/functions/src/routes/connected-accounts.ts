import { originOf, plainActor, type RouteEntry, textsOf, withoutSecrets } from '@onward/access'
import {
  confirmOwnAccount,
  disconnectOwnAccount,
  listOwnAccounts,
  openConnectSession,
  renameOwnAccount,
  setDefaultAccount,
} from '@onward/contract'
import { Refusal, type RouteOf, type UserKey } from '@onward/runtime'
import { applicationChangeLimits } from '../auth.ts'
import { groupByApp, presentAccount } from '../catalog/present.ts'
import { recordUserChange } from '../connect/audit.ts'
import { confirm } from '../connect/confirm.ts'
import { makeConnectLink } from '../connect/connect-link.ts'
import { disconnect } from '../connect/disconnect.ts'
import { MAX_NAME } from '../connect/finish.ts'
import { plainText } from '../connect/pages/parts.ts'
import type { Context } from '../context.ts'
import { preferAccount, renameAccount } from '../db/account-changes.ts'
import { type Account, defaultAccount, readAccountId, selectAccounts } from '../db/connected-accounts.ts'
import { route } from './route.ts'

/**
 * A route whose change is in the audit log. The guard of the console records changes by people; here, changes by an application's server.
 */
const changeRoute: RouteOf<Context, UserKey, RouteEntry> = (endpoint, handle) =>
  route(endpoint, async (ctx, input) => {
    if (input.actor !== undefined) return await handle(ctx, input)
    const { caller, params, query, body, request, response } = input
    const count = () => ctx.rateLimits.count(response, applicationChangeLimits(caller))
    const change = {
      action: endpoint.action ?? '',
      target: { ...textsOf(params), ...textsOf(query) },
      after: withoutSecrets(endpoint, body),
      actor: plainActor('application', caller.appKey, caller.appKey),
    } as const
    const audited = { origin: originOf(request, response), countChange: count }
    return await recordUserChange(ctx, audited, caller, change, (noteChange) => handle(ctx, { ...input, noteChange }))
  })

export const listOwnAccountsRoute = route(listOwnAccounts, async (ctx, { caller, body }) => {
  const accounts = await selectAccounts(ctx.db, caller.appKey, { userId: caller.userId, app: body.app?.toLowerCase() })
  const defaults = new Set([...groupByApp(accounts).values()].map(defaultAccount))
  return {
    connected_accounts: accounts.map((account) => ({
      ...presentAccount(account),
      app: account.app,
      is_default: defaults.has(account),
    })),
  }
})

export const renameOwnAccountRoute = changeRoute(renameOwnAccount, async (ctx, { caller, params, body }) => {
  const name = plainText(body.display_name, MAX_NAME)
  if (name === '') throw new Refusal('invalid_parameters', 'the name is not valid', ['display_name: must not be blank'])
  return presentOwn(await renameAccount(ctx.db, caller, readAccountId(params.id), name))
})

export const setDefaultAccountRoute = changeRoute(setDefaultAccount, async (ctx, { caller, params }) => {
  const account = await preferAccount(ctx.db, caller, readAccountId(params.id))
  if (account !== undefined) ctx.accounts.drop({ ...caller, app: account.app })
  return presentOwn(account)
})

export const disconnectOwnAccountRoute = changeRoute(disconnectOwnAccount, async (ctx, { caller, params, query }) => {
  await disconnect(ctx, caller, params.id, query.force === true)
  return { success: true as const }
})

export const confirmOwnAccountRoute = changeRoute(confirmOwnAccount, async (ctx, { caller, params, body }) =>
  presentAccount(await confirm(ctx, caller, params.id, body.confirmation)),
)

export const openConnectSessionRoute = changeRoute(openConnectSession, async (ctx, { caller, actor, body, request }) => {
  const wanted = {
    app: body.app,
    manage: body.manage === true,
    pick: body.pick === true,
    redirectUri: body.redirect_uri,
    locale: body.locale,
    userName: body.user_name,
  }
  const { url, expiresAt } = await makeConnectLink(ctx, caller, wanted, request, actor)
  return { url, expires_at: expiresAt.toISOString() }
})

function presentOwn(account: Account | undefined) {
  if (account === undefined) throw new Refusal('connected_account_not_found', 'you have no such connected account')
  return presentAccount(account)
}
