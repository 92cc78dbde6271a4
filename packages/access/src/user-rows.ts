import { isStorable, Refusal, readCursor, type UserKey, writeCursor } from '@onward/runtime'
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

/** A table with rows about users. */
export type UserTable = {
  /** The columns by which the rows of a user are sorted, and which differ between them, with their types in Postgres. */
  readonly key: Readonly<Record<string, string>>
  /** Columns that are not exported: secrets, hashes and encrypted values. */
  readonly secret?: readonly string[]
  /** The condition for the rows of a user. By default, `app_key` and `user_id` are the user's. */
  readonly isOf?: (user: UserKey) => RawBuilder<unknown>
  /** Whether no index finds the rows of a user. All rows of the table are then read. */
  readonly scanned?: true
}

type UserRow = { readonly table: string; readonly row: Record<string, unknown> }

/** Maximum number of rows in one statement: rows of a user, or all rows of a table that is scanned. */
const PAGE = 100
export const SCANNED_PAGE = 10_000
/** A page ends with the first row that exceeds it, because a call can have megabytes of output. */
const MAX_BYTES = 4_194_304
/** How long one request reads. */
const BUDGET_MS = 2_000

/** Returns the user that a request names. Throws `invalid_parameters` for an id that Postgres cannot store. */
export function readUserKey(appKey: string, userId: string): UserKey {
  if (isStorable(userId)) return { appKey, userId }
  throw new Refusal('invalid_parameters', 'the parameters are not valid', ['user_id: must not contain NUL or half of a surrogate pair'])
}

/** The condition for the rows of a user in most tables. */
export function isOfUser({ appKey, userId }: UserKey): RawBuilder<unknown> {
  return sql`app_key = ${appKey} and user_id = ${userId}`
}

/** Returns rows about a user, table by table, for about two seconds or 4 MB. `_cursor` is null after the last row. */
export async function readUserRows(
  db: QueryExecutorProvider,
  tables: Readonly<Record<string, UserTable>>,
  user: UserKey,
  cursor: string | undefined,
): Promise<{ rows: UserRow[]; _cursor: string | null }> {
  const names = Object.keys(tables)
  const [first = names[0] ?? '', lastKey] = readCursor(cursor, ['string', 'string']) ?? []
  const deadline = performance.now() + BUDGET_MS
  const rows: UserRow[] = []
  let bytes = 0
  let after: string[] | null = lastKey === undefined ? null : keyOf(lastKey)
  for (const name of names.slice(names.indexOf(first))) {
    const table = tables[name] as UserTable
    do {
      const page = await readPage(db, name, table, user, after)
      rows.push(...page.rows.map((row) => ({ table: name, row })))
      bytes += page.bytes
      after = page.last
      const isFull = bytes >= MAX_BYTES || performance.now() > deadline
      if (after !== null && isFull) return { rows, _cursor: writeCursor([name, JSON.stringify(after)]) }
    } while (after !== null)
  }
  return { rows, _cursor: null }
}

function keyOf(text: string): string[] {
  return JSON.parse(text)
}

type Page = { readonly rows: Record<string, unknown>[]; readonly bytes: number; readonly last: string[] | null }

/** Returns the next rows of a user in a table: at most 100, or those among the next 10,000 rows of the table. `last` is null at its end. */
async function readPage(
  db: QueryExecutorProvider,
  name: string,
  { key, secret = [], isOf = isOfUser, scanned }: UserTable,
  user: UserKey,
  after: readonly string[] | null,
): Promise<Page> {
  const columns = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const types = Object.values(key)
  const isNext =
    after === null ? sql`true` : sql`(${columns}) > (${sql.join(after.map((value, n) => sql`${value}::${sql.raw(types[n] ?? 'text')}`))})`
  const size = scanned ? SCANNED_PAGE : PAGE
  const { rows } = await sql<{ rows: Page['rows']; bytes: string; last: string[] | null; complete: boolean }>`
    with page as (
      select array[${sql.join(Object.keys(key).map((column) => sql`${sql.ref(column)}::text`))}] as key,
        case when ${isOf(user)} then to_jsonb(stored) - ${secret}::text[] end as row,
        row_number() over (order by ${columns}) as place
      from (
        select * from ${sql.table(name)} where ${isNext} and ${scanned ? sql`true` : isOf(user)} order by ${columns} limit ${size}
      ) stored
    ), sized as (
      select *, coalesce(sum(length(row::text)) over (order by place rows between unbounded preceding and 1 preceding), 0) as before from page
    )
    select coalesce(jsonb_agg(row order by place) filter (where row is not null), '[]') as rows,
      coalesce(sum(length(row::text)), 0) as bytes, jsonb_agg(key order by place desc)->0 as last,
      count(*) = (select count(*) from page) and count(*) < ${size} as complete
    from sized where before < ${MAX_BYTES}`.execute(db)
  const [page = { rows: [], bytes: '0', last: null, complete: true }] = rows
  return { rows: page.rows, bytes: Number(page.bytes), last: page.complete ? null : page.last }
}
