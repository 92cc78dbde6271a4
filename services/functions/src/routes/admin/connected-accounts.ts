import { noApplication } from '@onward/access'
import { type App, type Credentials, checkCredentials, credentialFields, schemeOf, withDefaults } from '@onward/catalog'
import { connectAccount, disconnectAccount, getConnectedAccount, listConnectedAccounts, testConnectedAccount } from '@onward/contract'
import { cutPage, Refusal, readCursor, type UserKey, urlProblem } from '@onward/runtime'
import { EN } from '@onward/texts'
import { presentAccount } from '../../catalog/present.ts'
import { tooManyAccounts } from '../../connect/finish.ts'
import { identifyAccount, type Tested, testCredentials } from '../../connect/identify.ts'
import { plainText } from '../../connect/pages/parts.ts'
import type { Context } from '../../context.ts'
import { deleteAccount, upsertAccount } from '../../db/account-changes.ts'
import { findApplication, requireApplication } from '../../db/applications.ts'
import { findLastUses } from '../../db/calls.ts'
import { accountRow, defaultAccount, findAccount, findAccountDetail, readAccountId, selectAccounts } from '../../db/connected-accounts.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { needsNoSignIn, requestToken } from '../../oauth/request-token.ts'
import type { TokenSender } from '../../oauth/send.ts'
import { countForUser } from '../enter.ts'
import { route } from '../route.ts'

const MAX_NAME = 200

export const connectAccountRoute = route(connectAccount, async (ctx, { params, body, response }) => {
  const { app_key: appKey } = params
  const { user_id: userId, credentials } = body
  const application = await findApplication(ctx.db, appKey)
  if (application === undefined) throw noApplication()
  countForUser(ctx, response, { appKey, userId }, application)
  const app = ctx.catalog.current.functions.app(body.app)
  if (app === undefined) throw new Refusal('app_not_found', 'there is no such app')
  if (!app.needsAccount) throw new Refusal('invalid_parameters', `${app.title} needs no account`, ['app: needs no account'])

  const problems = checkCredentials(app, credentials).map((problem) => `credentials.${problem}`)
  for (const { name, kind } of credentialFields(app)) {
    const value = kind === 'url' ? credentials[name] : undefined
    const problem = value === undefined ? undefined : urlProblem(String(value), ctx.config.outgoingReach)
    if (problem !== undefined && problems.length === 0) problems.push(`credentials.${name}: ${problem}`)
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (/[\u0000-\u001f\u007f]/.test(userId)) problems.push('user_id: must not hold control characters')
  if (problems.length > 0) throw new Refusal('invalid_parameters', 'the credentials are not valid', problems)

  const tested = body.test === true ? await testAccount(ctx, { appKey, userId }, app, credentials) : undefined
  const displayName = body.display_name ?? (plainText(tested?.name ?? '', MAX_NAME) || app.title)
  const complete = tested?.credentials ?? (await withFirstToken(ctx.oauth, app, credentials))
  const renewedAt = complete === credentials ? null : new Date()
  const added = { appKey, userId, app: app.name, displayName, externalId: null, renewedAt }
  const seal = (id: number) => ctx.sealer.seal(JSON.stringify(complete), accountRow(id))
  const account = await ctx.db.transaction().execute((tx) => upsertAccount(tx, added, seal))
  if (account === undefined) throw tooManyAccounts()
  ctx.accounts.drop({ appKey, userId, app: app.name })
  return presentAccount(account)
})

export const listConnectedAccountsRoute = route(listConnectedAccounts, async (ctx, { params, query }) => {
  await requireApplication(ctx.db, params.app_key)
  const { page_size: size, search, status, is_default: isDefault } = query
  const [before] = readCursor(query._cursor, ['number']) ?? []
  const filter = { userId: query.user_id, search, app: query.app?.toLowerCase(), status, isDefault, before }
  const accounts = await selectAccounts(ctx.slowDb, params.app_key, filter, size && size + 1)
  const { page, _cursor } = cutPage(accounts, size ?? accounts.length, ({ id }) => [id])
  const uses = size === undefined ? undefined : await findLastUses(ctx.slowDb, params.app_key, page)
  return {
    connected_accounts: page.map((account) => ({
      ...presentAccount(account),
      user_id: account.userId,
      app: account.app,
      created_at: account.createdAt.toISOString(),
      ...(uses && { last_used_at: uses.get(account.id)?.toISOString() ?? null }),
    })),
    _cursor,
  }
})

export const getConnectedAccountRoute = route(getConnectedAccount, async (ctx, { params, query }) => {
  const account = await findAccountDetail(ctx.db, readAccountId(params.id), query.workspace_id)
  if (account === undefined) throw new Refusal('connected_account_not_found', 'there is no such connected account')
  const { appKey, userId, app, createdAt, renewedAt } = account
  const chosen = defaultAccount(await selectAccounts(ctx.db, appKey, { userId, app }))
  return {
    ...presentAccount(account),
    app_key: appKey,
    user_id: userId,
    app,
    is_default: chosen?.id === account.id,
    created_at: createdAt.toISOString(),
    renewed_at: renewedAt?.toISOString() ?? null,
  }
})

export const testConnectedAccountRoute = route(testConnectedAccount, async (ctx, { params, response }) => {
  const [application, account] = await Promise.all([findApplication(ctx.db, params.app_key), findAccount(ctx.db, readAccountId(params.id))])
  if (application === undefined || account === undefined || account.appKey !== params.app_key) {
    throw new Refusal('connected_account_not_found', 'there is no such connected account')
  }
  countForUser(ctx, response, account, application)
  const app = ctx.catalog.current.functions.app(account.app)
  if (app === undefined) throw new Refusal('app_not_found', 'the app of this account is no longer in the catalog')
  if (app.identity === null) return { ok: null, name: null, problem: null }
  try {
    const found = await identifyAccount(ctx, account, app)
    if (found.kind !== 'known') return { ok: false, name: null, problem: found.problem(EN) }
    return { ok: true, name: found.name ?? null, problem: null }
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    return { ok: false, name: null, problem: [err.message, ...err.details].join('; ') }
  }
})

export const disconnectAccountRoute = route(disconnectAccount, async (ctx, { params }) => {
  const deleted = await deleteAccount(ctx.db, params.app_key, readAccountId(params.id))
  if (deleted === undefined) throw new Refusal('connected_account_not_found', 'there is no such connected account')
  ctx.accounts.drop(deleted)
  return { success: true as const }
})

/** Calls the app with the credentials, as the connect page does. Throws a Refusal when the app does not accept them or does not answer. */
async function testAccount(ctx: Context, tenant: UserKey, app: App, credentials: Credentials): Promise<Extract<Tested, { kind: 'known' }>> {
  const scheme = schemeOf(app, credentials)
  if (scheme === undefined)
    throw new Refusal('invalid_parameters', 'the credentials are not valid', ['credentials: fit no scheme of the app'])
  const tested = await testCredentials(ctx, tenant, app, scheme, credentials)
  if (tested.kind === 'known') return tested
  if (tested.kind === 'unavailable') throw new Refusal('upstream_unreachable', tested.problem(EN))
  throw new Refusal('invalid_parameters', 'the credentials are not valid', [`credentials: ${tested.problem(EN)}`])
}

/**
 * Returns the credentials with a first access token if the scheme requests tokens with them, so that wrong credentials are detected at
 * once. Throws a Refusal: `invalid_parameters` for refused credentials, `upstream_unreachable` when they could not be tested.
 */
async function withFirstToken(oauth: TokenSender, app: App, credentials: Credentials): Promise<Credentials> {
  const scheme = schemeOf(app, credentials)
  if (!needsNoSignIn(scheme)) return credentials
  try {
    return await requestToken(oauth, scheme, null, withDefaults(app, credentials))
  } catch (err) {
    if (!(err instanceof OAuthError)) throw err
    const problem = `${app.title} issued no access token: ${err.message}`
    if (err.kind === 'unreachable') throw new Refusal('upstream_unreachable', problem)
    throw new Refusal('invalid_parameters', 'the credentials are not valid', [`credentials: ${problem}`])
  }
}
