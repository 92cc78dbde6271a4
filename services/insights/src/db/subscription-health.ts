import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** What attempts of one moment said of subscriptions, by their ids. A subscription with successes and failures does not only fail. */
export type Health = { readonly succeeded: readonly string[]; readonly failed: readonly string[]; readonly gone: readonly string[] }

/**
 * Notes since when there have been only failures. Gives the subscriptions for which that is `failingForMs` or more. Locks, in the order
 * of ids, those of which something changes and those that are gone; of most, nothing does.
 */
export async function noteHealth(tx: Db, { succeeded, failed, gone }: Health, failingForMs: number): Promise<string[]> {
  const { rows } = await sql<{ id: string; too_long: boolean | null }>`
    with noted as (
      select id, id = any(${succeeded}::uuid[]) as well from subscription
      where id = any(${[...succeeded, ...failed, ...gone]}::uuid[]) and disabled_at is null
        and case
          when id = any(${gone}::uuid[]) then true
          when id = any(${succeeded}::uuid[]) then failing_since is not null
          else failing_since is null or failing_since <= now() - ${failingForMs}::float8 * interval '1 millisecond'
        end
      order by id for update
    )
    update subscription s set failing_since = case when not noted.well then coalesce(s.failing_since, now()) end
    from noted where s.id = noted.id
    returning s.id, s.failing_since <= now() - ${failingForMs}::float8 * interval '1 millisecond' as too_long`.execute(tx)
  return rows.filter((row) => row.too_long).map((row) => row.id)
}
