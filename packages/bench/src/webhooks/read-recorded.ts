import { type Kysely, sql } from 'kysely'

/** What the tables say: attempts made, deliveries that arrived or were given up, and those whose attempts are not numbered 1, 2, 3 … once each. */
export type Recorded = { readonly attempts: number; readonly delivered: number; readonly givenUp: number; readonly misnumbered: number }

export async function readRecorded(db: Kysely<never>): Promise<Recorded> {
  const { rows } = await sql<Recorded>`
    select coalesce(sum(attempts), 0)::int as attempts, count(delivered_at)::int as delivered, count(failed_at)::int as "givenUp",
      count(*) filter (where attempts <> made.numbers or attempts <> made.rows or attempts <> made.last)::int as misnumbered
    from delivery d left join lateral (
      select count(distinct number) as numbers, count(*) as rows, coalesce(max(number), 0) as last
      from delivery_attempt a where a.delivery_id = d.id
    ) made on true`.execute(db)
  return rows[0] as Recorded
}
