import { replacedBy, requireOwner } from '@onward/access'
import * as endpoints from '@onward/contract'
import { isStorable, newSecret, type Reach, Refusal, refuseChanged } from '@onward/runtime'
import type { Context } from '../../context.ts'
import { deleteApplication, type ListedApplication, listApplications, selectAppKeys } from '../../db/applications.ts'
import { insertEndedRights } from '../../db/ended-rights.ts'
import { selectMembers } from '../../db/people.ts'
import { insertWorkspaceKey } from '../../db/workspace-keys.ts'
import { changeWorkspace, deleteWorkspace, findWorkspace, insertWorkspace, listWorkspaces, lockWorkspace } from '../../db/workspaces.ts'
import { appKeyProblem } from '../../rules/ids.ts'
import { newestDays } from '../../rules/period.ts'
import { provisionApplication } from '../../usage/provision.ts'
import { adminRoute, invalidParameters } from '../route.ts'

const WORKSPACE_ID = new RegExp(endpoints.putInsightsApplication.body.properties.workspace_id.pattern)

export const putWorkspaceRoute = adminRoute(
  endpoints.putWorkspace,
  async (ctx, { params: { workspace_id: id }, body: { if_unchanged: expected, ...body }, actor, noteChange }) => {
    const { name, rate_limit: rateLimit, key_scopes: scopes = endpoints.DEFAULT_SCOPES } = body
    if (rateLimit !== undefined && actor?.operator !== true) throw new Refusal('role_required', 'only operators may change the rate limit')
    if (!WORKSPACE_ID.test(id)) throw invalidParameters(`workspace_id: must match ${WORKSPACE_ID.source}`)
    if (!isStorable(name)) throw invalidParameters('name: must not hold NUL or half of a surrogate pair')
    const before = await findWorkspace(ctx.db, id)
    if (before === undefined && expected !== undefined) throw new Refusal('workspace_not_found', 'there is no such workspace')
    const response = await ctx.db.transaction().execute(async (tx) => {
      if (!(await insertWorkspace(tx, id, { name, rateLimit }))) {
        const stored = await lockWorkspace(tx, id)
        if (stored !== undefined) refuseChanged(expected, { name: stored.name, rate_limit: stored.rateLimit })
        if (!(await changeWorkspace(tx, id, { name, rateLimit }))) {
          throw new Refusal('already_deleted', 'the workspace with this id was deleted; choose another id')
        }
        return { workspace_id: id, name, created: false }
      }
      const key = newSecret('pk')
      await insertWorkspaceKey(tx, id, key, { name: 'Default', scopes, expiresAt: null })
      return { workspace_id: id, name, created: true, partner_api_key: key }
    })
    noteChange(before === undefined ? null : replacedBy(body, { name: before.name, rate_limit: before.rateLimit }), body)
    return response
  },
)

export const listWorkspacesRoute = adminRoute(endpoints.listWorkspaces, async (ctx) => {
  const workspaces = await listWorkspaces(ctx.db)
  return {
    workspaces: workspaces.map(({ id, name, defaultLimit, rateLimit, createdAt }) => ({
      workspace_id: id,
      name,
      default_limit: defaultLimit,
      rate_limit: rateLimit,
      created_at: createdAt.toISOString(),
    })),
  }
})

export const putApplicationRoute = adminRoute(
  endpoints.putInsightsApplication,
  async (ctx, { params: { app_key: appKey }, body: { assignment, if_unchanged: expected, ...body }, actor, noteChange }) => {
    const problem = appKeyProblem(appKey)
    if (problem !== undefined) throw invalidParameters(`app_key: ${problem}`)
    const problems = (body.embed_origins ?? []).flatMap((origin, i) => originProblem(origin, ctx.config.outgoingReach, i))
    if (problems.length > 0) throw invalidParameters(...problems)
    const known = (await listApplications(ctx.db, body.workspace_id)).find((application) => application.appKey === appKey)
    const adds = (body.embed_origins ?? []).some((origin) => known?.embedOrigins.includes(origin) !== true)
    if (known !== undefined && adds) requireOwner(actor, body.workspace_id, 'adding embed_origins')
    const mayAssign = actor?.operator === true || (await isAssigned(ctx, assignment, appKey, body.workspace_id))
    const settings = {
      days: body.limit_period,
      onLimit: body.on_limit,
      embedOrigins: body.embed_origins,
      mayAssign,
      check: (stored: Pick<ListedApplication, 'limitPeriods' | 'onLimit' | 'embedOrigins'>) => refuseChanged(expected, changeable(stored)),
    }
    const { days, onLimit, followUp } = await provisionApplication(ctx.slowDb, appKey, body.workspace_id, settings)
    await ctx.runFollowUp(followUp)
    noteChange(known === undefined ? null : replacedBy(body, settingsOf(known)), body)
    return { app_key: appKey, workspace_id: body.workspace_id, limit_period: days, on_limit: onLimit }
  },
)

/** Returns whether functions assigned the App-Key to the workspace in the last seconds. */
async function isAssigned(
  { access }: Pick<Context, 'access'>,
  token: string | undefined,
  appKey: string,
  workspaceId: string,
): Promise<boolean> {
  const assignment = token === undefined ? undefined : await access.tokens.assignment.verify(token)
  return assignment?.appKey === appKey && assignment.workspaceId === workspaceId
}

/** Returns the settings of an application as the API presents them. */
function settingsOf({ workspaceId, ...settings }: ListedApplication) {
  return { workspace_id: workspaceId, ...changeable(settings) }
}

function changeable({ limitPeriods, onLimit, embedOrigins }: Pick<ListedApplication, 'limitPeriods' | 'onLimit' | 'embedOrigins'>) {
  return { limit_period: newestDays(limitPeriods), on_limit: onLimit, embed_origins: [...embedOrigins] }
}

/** A page of plain HTTP could be changed on its way, so it may not embed anything, except in development. */
function originProblem(origin: string, reach: Reach, i: number): string[] {
  const isAllowed = origin.startsWith('https:') || reach === 'local'
  return isAllowed && URL.canParse(origin) && new URL(origin).origin === origin
    ? []
    : [`embed_origins[${i}]: must be an origin: https:// and a host, without a path`]
}

export const deleteWorkspaceRoute = adminRoute(endpoints.deleteWorkspace, async (ctx, { params: { workspace_id: id } }) => {
  const subscriptions = await ctx.db.transaction().execute(async (tx) => {
    if (!isStorable(id) || (await lockWorkspace(tx, id)) === undefined) {
      throw new Refusal('workspace_not_found', 'there is no such workspace')
    }
    const appKeys = await selectAppKeys(tx, id)
    if (appKeys.length > 0) throw new Refusal('workspace_has_applications', 'delete the applications of the workspace first', appKeys)
    for (const member of await selectMembers(tx, id)) await insertEndedRights(tx, member.id, id, null)
    return await deleteWorkspace(tx, id)
  })
  return { workspace_id: id, subscriptions }
})

export const deleteApplicationRoute = adminRoute(endpoints.deleteInsightsApplication, async (ctx, { params: { app_key: appKey } }) => {
  const known = appKeyProblem(appKey) === undefined && (await deleteApplication(ctx.db, appKey))
  if (!known) throw new Refusal('application_not_found', 'there is no such application')
  return { app_key: appKey }
})
