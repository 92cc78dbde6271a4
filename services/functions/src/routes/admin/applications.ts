import { type Actor, noApplication, replacedBy, requireOwner } from '@onward/access'
import {
  clearPastPrompts,
  DEFAULT_RATE_LIMITS,
  deleteApplication,
  deletePreviousSecret,
  listApplications,
  putApplication,
  type RateLimitName,
  rateLimitNames,
  rotateSecret,
} from '@onward/contract'
import { isUrl, maskedSecret, newSecret, type Reach, Refusal, refuseChanged, refuseProblems, type Sealer } from '@onward/runtime'
import {
  type Application,
  type ApplicationRateLimits,
  changeApplication,
  dropPreviousSecret,
  findApplication,
  insertApplication,
  isDeleted,
  lockApplication,
  replaceSecret,
  secretRow,
  selectApplications,
} from '../../db/applications.ts'
import { deleteRows, markDeleted } from '../../db/deleted-applications.ts'
import { adoptMcpTokens } from '../../db/mcp-tokens.ts'
import { forgetPast, forgetShared } from '../../db/past-prompts.ts'
import { digestOfSecret } from '../../served-applications.ts'
import { route } from '../route.ts'

export const putApplicationRoute = route(
  putApplication,
  async (ctx, { params, body: { if_unchanged: expected, ...body }, actor, noteChange }) => {
    const { app_key: appKey } = params
    const { workspace_id, name, allowed_origins, allowed_redirects, learn_from_use, share_learning, ...others } = body
    const { use_model, confirm_accounts, client_profile, connect_pages, ...rateLimits } = others
    const reach = ctx.config.outgoingReach
    refuseProblems([
      ...(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(appKey) ? [] : ['app_key: must be letters, digits, - and _, at most 100']),
      ...(connect_pages?.logo?.startsWith('https:') && !isUrl(connect_pages.logo) ? ['connect_pages.logo: must be a URL'] : []),
      ...(connect_pages?.limit_url && !isUrl(connect_pages.limit_url) ? ['connect_pages.limit_url: must be a URL'] : []),
      ...problemsOf('allowed_origins', allowed_origins, (url) => originProblem(url, reach)),
      ...problemsOf('allowed_redirects', allowed_redirects, (url) => redirectProblem(url, reach)),
    ])
    let before = await findApplication(ctx.db, appKey)
    if (before === undefined && expected !== undefined) throw new Refusal('application_not_found', 'there is no such application')
    requireOperatorToRaise(actor, rateLimits, before?.rateLimits)
    const secret = newSecret('sk')
    const sealedSecret = ctx.sealer.seal(secret, secretRow(appKey))
    // An existing application keeps its secret, and gets only the changes below.
    const confirmAccounts = confirm_accounts ?? client_profile !== 'published'
    const inserted = { appKey, workspaceId: workspace_id, name, confirmAccounts, sealedSecret }
    const created = before === undefined && (await insertApplication(ctx.db, inserted, MAX_APPLICATIONS))
    // Another request can have created it in the meantime.
    if (!created) before ??= await findApplication(ctx.db, appKey)
    if (before !== undefined) {
      if (before.confirmAccounts && confirm_accounts === false) requireOwner(actor, workspace_id, 'turning off confirm_accounts')
      if (adds(before.allowedOrigins, allowed_origins)) requireOwner(actor, workspace_id, 'adding allowed_origins')
      if (adds(before.allowedRedirects, allowed_redirects)) requireOwner(actor, workspace_id, 'adding allowed_redirects')
    }
    const changed = await ctx.db.transaction().execute(async (tx) => {
      await lockApplication(tx, appKey)
      const stored = await findApplication(tx, appKey)
      if (stored?.workspaceId === workspace_id) refuseChanged(expected, presented(stored))
      return await changeApplication(tx, appKey, workspace_id, {
        name,
        allowedOrigins: allowed_origins,
        allowedRedirects: allowed_redirects,
        learnFromUse: learn_from_use,
        shareLearning: share_learning,
        useModel: use_model,
        confirmAccounts: confirm_accounts,
        clientProfile: client_profile,
        connectPages: connect_pages,
        rateLimits,
      })
    })
    ctx.applications.drop(appKey)
    if (changed === undefined && (await isDeleted(ctx.db, appKey))) {
      throw new Refusal('already_deleted', 'the application with this App-Key was deleted; choose another App-Key')
    }
    if (before === undefined && !created) {
      const text = `the workspace already has ${MAX_APPLICATIONS} applications, with those that were deleted in the last 24 hours`
      throw new Refusal('too_many_applications', text)
    }
    if (changed === undefined) throw new Refusal('belongs_to_other_workspace', 'this App-Key belongs to another workspace')
    if (learn_from_use === false) await forgetPast(ctx.db, appKey)
    // Sharing begins without prompts that were shared before it was turned on.
    if (share_learning !== undefined && share_learning !== before?.shareLearning) await forgetShared(ctx.db, appKey)
    noteChange(before === undefined ? null : replacedBy(body, presented(before)), body)
    const assignment = await ctx.access.tokens.assignment.sign({ appKey, workspaceId: workspace_id })
    const shown = { app_key: appKey, workspace_id, name, confirm_accounts: changed.confirmAccounts, created, assignment }
    return created ? { ...shown, app_secret: secret } : shown
  },
)

/** Each application has its own limits and quotas. */
const MAX_APPLICATIONS = 1_000

/** Throws `role_required` for a rate limit above its default and above the stored one. They protect other workspaces. */
function requireOperatorToRaise(
  actor: Actor | undefined,
  wanted: Partial<ApplicationRateLimits>,
  stored: ApplicationRateLimits = DEFAULT_RATE_LIMITS,
): void {
  if (actor?.operator !== false) return
  const highest = (name: RateLimitName) => Math.max(DEFAULT_RATE_LIMITS[name], stored[name])
  const name = rateLimitNames.find((each) => (wanted[each] ?? 0) > highest(each))
  if (name !== undefined) throw new Refusal('role_required', `only operators may raise ${name} above ${highest(name)}`)
}

function adds(before: readonly string[], urls: readonly string[] = []): boolean {
  return urls.some((url) => !before.includes(url))
}

export const listApplicationsRoute = route(listApplications, async (ctx, { query }) => {
  const applications = await selectApplications(ctx.db, query.workspace_id)
  const masked = (sealed: Buffer, appKey: string) => maskedOf(ctx.sealer, sealed, secretRow(appKey))
  return {
    applications: applications.map(({ sealedSecret, sealedPrevious, ...application }) => ({
      ...presented(application),
      masked_secret: masked(sealedSecret, application.appKey),
      masked_previous_secret: sealedPrevious && masked(sealedPrevious, application.appKey),
    })),
  }
})

/** Returns what may be shown of a secret; null if its key is missing, so that the list can still be read. */
function maskedOf(sealer: Sealer, sealed: Buffer, row: string): string | null {
  try {
    return maskedSecret(sealer.open(sealed, row))
  } catch {
    return null
  }
}

/** Returns an application as the API presents it. */
function presented(application: Application) {
  return {
    app_key: application.appKey,
    workspace_id: application.workspaceId,
    name: application.name,
    allowed_origins: [...application.allowedOrigins],
    allowed_redirects: [...application.allowedRedirects],
    learn_from_use: application.learnFromUse,
    share_learning: application.shareLearning,
    use_model: application.useModel,
    confirm_accounts: application.confirmAccounts,
    client_profile: application.clientProfile,
    connect_pages: application.connectPages,
    ...application.rateLimits,
    created_at: application.createdAt.toISOString(),
    previous_secret_valid_until: application.previousSecretValidUntil?.toISOString() ?? null,
  }
}

export const rotateSecretRoute = route(rotateSecret, async (ctx, { params, body }) => {
  const current = (await ctx.applications.read(params.app_key))?.secrets[0]
  if (current !== undefined) await adoptMcpTokens(ctx.db, params.app_key, digestOfSecret(current))
  const secret = newSecret('sk')
  const sealed = ctx.sealer.seal(secret, secretRow(params.app_key))
  const replaced = await replaceSecret(ctx.db, params.app_key, sealed, body.keep_previous_hours)
  ctx.applications.drop(params.app_key)
  if (replaced === undefined) throw noApplication()
  return { app_key: params.app_key, app_secret: secret, previous_valid_until: replaced.previousValidUntil.toISOString() }
})

export const deletePreviousSecretRoute = route(deletePreviousSecret, async (ctx, { params: { app_key: appKey } }) => {
  const known = await dropPreviousSecret(ctx.db, appKey)
  ctx.applications.drop(appKey)
  if (!known) throw noApplication()
  return { success: true as const }
})

export const deleteApplicationRoute = route(deleteApplication, async (ctx, { params: { app_key: appKey } }) => {
  const known = await markDeleted(ctx.db, appKey, ctx.sealer.seal(newSecret('sk'), secretRow(appKey)))
  ctx.applications.drop(appKey)
  if (!known) throw noApplication()
  const deleted = await deleteRows(ctx.db, appKey)
  await forgetPast(ctx.db, appKey)
  return { app_key: appKey, deleted }
})

export const clearPastPromptsRoute = route(clearPastPrompts, async (ctx, { params }) => {
  const known = await forgetPast(ctx.db, params.app_key)
  if (!known) throw noApplication()
  return { success: true as const }
})

function problemsOf(field: string, urls: readonly string[] = [], problemOf: (url: string) => string | undefined): string[] {
  return urls.flatMap((url, index) => {
    const problem = problemOf(url)
    return problem === undefined ? [] : [`${field}[${index}]: ${problem}`]
  })
}

/** Returns what is wrong with a redirect URL. Plain HTTP is allowed only in development, and only to this machine. */
export function redirectProblem(raw: string, reach: Reach): string | undefined {
  // `URL` drops tabs and newlines and converts backslashes, so the checked URL would differ from the given one.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (/[\u0000-\u0020\u007f\\]/.test(raw) || !isUrl(raw)) return 'must be a URL'
  const { protocol, hostname, username, password, hash } = new URL(raw)
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback && reach === 'local')) return 'must be an https URL'
  if (username !== '' || password !== '' || hash !== '' || raw.includes('#')) return 'must hold no user name, password or fragment'
  return undefined
}

/** Returns what is wrong with the origin of a page, such as `https://app.example.com`. */
function originProblem(raw: string, reach: Reach): string | undefined {
  const problem = redirectProblem(raw, reach)
  if (problem !== undefined) return problem
  return new URL(raw).origin === raw ? undefined : 'must be an origin: https:// and a host, in lower case, without a path'
}
