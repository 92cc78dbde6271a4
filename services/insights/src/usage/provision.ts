import { Refusal } from '@onward/runtime'
import { updateBlocking } from '../blocking/update-blocking.ts'
import {
  addApplications,
  addLimitPeriod,
  assignApplication,
  type ListedApplication,
  lockApplication,
  type OnLimit,
  readEmbedOrigins,
  setEmbedOrigins,
  setOnLimit,
} from '../db/applications.ts'
import { readUsages, setDaysFrom } from '../db/periods.ts'
import type { Db } from '../db/tables.ts'
import { lockUsersAhead, setMissingLimits } from '../db/users.ts'
import { lockWorkspace, nextLimitSeq } from '../db/workspaces.ts'
import { DEFAULT_DAYS, newestDays } from '../rules/period.ts'
import { addLimitChange } from './apply-limit-changes.ts'
import { type FollowUp, joinFollowUps, NO_FOLLOW_UP } from './follow-up.ts'
import { applyPending, withWorkspaces } from './locked-users.ts'

/** Undefined leaves a setting unchanged. A new application has 30 days, `allow` and no origin. */
type Settings = {
  readonly days: number | undefined
  readonly onLimit: OnLimit | undefined
  readonly embedOrigins: readonly string[] | undefined
  /** Whether the caller may assign an App-Key that belongs to no workspace yet. */
  readonly mayAssign: boolean
  /** Throws if the stored settings are not those that the caller has read. */
  readonly check: (stored: Pick<ListedApplication, 'limitPeriods' | 'onLimit' | 'embedOrigins'>) => void
}

type Provisioned = { readonly days: number; readonly onLimit: OnLimit; readonly followUp: FollowUp }

/**
 * Assigns an application to a workspace, and sets the length of its limit period, whether it blocks users at their limit, and where it may
 * be embedded. Users whose tasks were counted before the assignment get the default limit of the workspace, and a limit change checks their
 * levels. Throws `workspace_not_found`, `belongs_to_other_workspace`, `assignment_required`, `already_deleted` or
 * `too_many_changes`.
 */
export async function provisionApplication(
  db: Db,
  appKey: string,
  workspaceId: string,
  { days, onLimit, embedOrigins, mayAssign, check }: Settings,
): Promise<Provisioned> {
  return await db.transaction().execute(async (tx) => {
    await addApplications(tx, [appKey], days ?? DEFAULT_DAYS)
    const application = await lockApplication(tx, appKey)
    if (application.isDeleted) throw new Refusal('already_deleted', 'the application with this App-Key was deleted; choose another App-Key')
    // Waits for transactions that are creating users, so that the limit change below includes these users.
    const workspace = await lockWorkspace(tx, workspaceId)
    if (workspace === undefined || workspace.isDeleted) throw new Refusal('workspace_not_found', 'there is no such workspace')
    if (application.workspaceId !== null && application.workspaceId !== workspaceId) {
      throw new Refusal('belongs_to_other_workspace', 'the application belongs to another workspace')
    }
    if (application.workspaceId === null && !mayAssign) {
      const why = 'this App-Key belongs to no workspace yet, and the request has no valid assignment of it to this workspace'
      const remedy = 'send PUT /admin/applications/:app_key to functions, and the assignment that it returns here within 45 seconds'
      throw new Refusal('assignment_required', `${why}; ${remedy}`)
    }
    check({ ...application, embedOrigins: await readEmbedOrigins(tx, appKey) })
    const previousDays = newestDays(application.limitPeriods)
    let followUp = NO_FOLLOW_UP
    if (days !== undefined && days !== previousDays) {
      // Only these users have stored periods that begin now or later. A period that has begun keeps its length.
      const usersAhead = await lockUsersAhead(tx, appKey)
      // First, because pending limit changes were made with the previous length.
      followUp = (await applyPending(tx, await withWorkspaces(tx, usersAhead))).followUp
      await setDaysFrom(tx, usersAhead, days, await addLimitPeriod(tx, appKey, days))
      // A block ends when its period ends, and that time has changed.
      followUp = joinFollowUps(followUp, { subscriptions: [], blocking: await updateBlocking(tx, await readUsages(tx, usersAhead)) })
    }
    const newOnLimit = onLimit !== undefined && onLimit !== application.onLimit
    if (newOnLimit) await setOnLimit(tx, appKey, onLimit)
    if (application.workspaceId === null) {
      await assignApplication(tx, appKey, workspaceId)
      await setMissingLimits(tx, appKey, workspace.defaultLimit, workspace.limitSeq)
    }
    if (newOnLimit || application.workspaceId === null) {
      const { limitSeq } = await nextLimitSeq(tx, workspaceId)
      await addLimitChange(tx, workspaceId, { limit: null, limitSeq })
    }
    if (embedOrigins !== undefined) await setEmbedOrigins(tx, appKey, embedOrigins)
    return { days: days ?? previousDays, onLimit: onLimit ?? application.onLimit, followUp }
  })
}
