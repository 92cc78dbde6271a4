import type { Arena } from './open-arena.ts'

/**
 * Throws when a window of an application has another length than its lengths say: of 30 days, or of that which was set meanwhile when it
 * began no earlier. All of them are their users' first ones.
 */
export async function checkWindows(arena: Arena, appKey: string): Promise<void> {
  const wrong = await arena.query(
    `select p.user_id, p.starts_at, p.ends_at, a.limit_periods
     from usage_period p join application a using (app_key), lateral (
       select (each->>'days')::int as days from jsonb_array_elements(a.limit_periods) with ordinality as list (each, place)
       where coalesce((each->>'from')::timestamptz <= p.starts_at, true) order by place desc limit 1
     ) length
     where p.app_key = $1 and p.ends_at <> p.starts_at + days * interval '24 hours'`,
    [appKey],
  )
  if (wrong.length > 0) throw new Error(`windows have another length than was set: ${JSON.stringify(wrong)}`)
}
