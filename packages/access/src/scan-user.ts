import { readCursor, type UserKey, writeCursor } from '@onward/runtime'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { isOfUser, SCANNED_PAGE, type UserTable } from './user-rows.ts'

/** A table without an index for users, whose rows of a user are deleted or changed. */
export type Scan = Pick<UserTable, 'isOf'> & {
  /** The primary key, with its type in Postgres. */
  readonly key: readonly [column: string, type: string]
  /** The statements for the rows of the user whose keys `keys`, an array, contains. */
  change(keys: RawBuilder<unknown>): readonly RawBuilder<unknown>[]
}

/** How long one request scans. */
const BUDGET_MS = 2_000

/** Changes the rows of a user, table by table, for about two seconds. Returns their numbers. `_cursor` is null after the last table. */
export async function changeUserRows(
  db: QueryExecutorProvider,
  scans: Readonly<Record<string, Scan>>,
  user: UserKey,
  cursor: string | null | undefined,
): Promise<{ changed: Record<string, number>; _cursor: string | null }> {
  const names = Object.keys(scans)
  const [first = names[0] ?? '', lastKey] = readCursor(cursor, ['string', 'string']) ?? []
  const deadline = performance.now() + BUDGET_MS
  const changed: Record<string, number> = {}
  let after: string | null = lastKey ?? null
  for (const name of names.slice(names.indexOf(first))) {
    do {
      const page = await changePage(db, name, scans[name] as Scan, user, after)
      changed[name] = (changed[name] ?? 0) + page.changed
      after = page.last
      if (after !== null && performance.now() > deadline) return { changed, _cursor: writeCursor([name, after]) }
    } while (after !== null)
  }
  return { changed, _cursor: null }
}

/** Searches the next 10,000 rows of a table. `last` is null at its end. */
async function changePage(
  db: QueryExecutorProvider,
  name: string,
  { key: [column, type], isOf = isOfUser, change }: Scan,
  user: UserKey,
  after: string | null,
): Promise<{ changed: number; last: string | null }> {
  const key = sql.ref(column)
  const isNext = after === null ? sql`true` : sql`${key} > ${after}::${sql.raw(type)}`
  const changes = change(sql`array(select key from page where is_of)`)
  const { rows } = await sql<{ changed: number; last: string | null }>`
    with page as materialized (
      select ${key} as key, ${isOf(user)} as is_of from ${sql.table(name)} where ${isNext} order by 1 limit ${SCANNED_PAGE}
    ), ${sql.join(changes.map((statement, n) => sql`${sql.ref(`change_${n}`)} as (${statement})`))}
    select (count(*) filter (where is_of))::int as changed,
      case when count(*) = ${SCANNED_PAGE} then (array_agg(key::text order by key desc))[1] end as last
    from page`.execute(db)
  return rows[0] ?? { changed: 0, last: null }
}
