import { readSubscribedKinds } from '../db/deliveries.ts'
import { type LimitPreview, type NewLimits, previewLimits, type Rise } from '../db/limit-preview.ts'
import type { Db } from '../db/tables.ts'
import type { Workspace } from '../db/workspaces.ts'
import { levelOfKind } from '../webhooks/kinds.ts'

/** Returns what a change of limits would do now, and how many deliveries it would create. Reads one snapshot and locks nothing. */
export async function previewChange(
  db: Db,
  workspace: Workspace,
  newLimits: NewLimits,
): Promise<LimitPreview & { readonly deliveries: number }> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const preview = await previewLimits(tx, workspace, newLimits)
      // The change would have the next number, so every subscription that is active now gets its deliveries.
      const kinds = await readSubscribedKinds(tx, new Map([[workspace.id, workspace.limitSeq + 1]]))
      const levels = kinds.map(({ kind, subscriptionIds }) => ({ level: levelOfKind(kind), subscriptions: subscriptionIds.length }))
      return { ...preview, deliveries: preview.rises.reduce((sum, rise) => sum + deliveriesOf(rise, levels), 0) }
    })
}

function deliveriesOf(
  { before, after, periods }: Rise,
  levels: readonly { readonly level: number | null; readonly subscriptions: number }[],
): number {
  const reached = levels.filter(({ level }) => level !== null && level > before && level <= after)
  return periods * reached.reduce((sum, { subscriptions }) => sum + subscriptions, 0)
}
