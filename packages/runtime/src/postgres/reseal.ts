import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import { lazy } from '../lazy.ts'
import type { Sealer } from '../seal.ts'

/** A column with sealed values. `row` returns the row name with which a value was sealed, from the texts of its `key` columns. */
export type SealedColumn = {
  readonly table: string
  readonly column: string
  readonly key: readonly string[]
  row(...key: readonly string[]): string
}

/**
 * Returns a check that rejects while stored secrets cannot be opened, and names the ids of their keys. It opens one secret of each key. Once
 * it has found no problem, it does not look again: the keys of a process do not change. It reads each table once, a million rows in about
 * a second.
 */
export function openSealingCheck(db: QueryExecutorProvider, sealer: Sealer, columns: readonly SealedColumn[]): () => Promise<void> {
  return lazy(async () => {
    const ids = new Set<string>()
    for (const each of columns) {
      for (const { sealed, key } of await readOneOfEachKey(db, each)) {
        try {
          sealer.openBytes(sealed, each.row(...key))
        } catch {
          ids.add(sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString())
        }
      }
    }
    if (ids.size > 0) throw new Error(`stored secrets cannot be opened: SEALING_KEYS lacks the right key for ${[...ids].join(', ')}`)
  })
}

async function readOneOfEachKey(db: QueryExecutorProvider, { table, column, key }: SealedColumn) {
  const [name, sealed] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ sealed: Buffer; key: string[] }>`
    select ${sealed} as sealed, ${textsOf(key)} as key from ${name} where ctid in (
      select min(ctid) from ${name} where ${sealed} is not null group by substring(${sealed} for 1 + get_byte(${sealed}, 0)))`.execute(db)
  return rows
}

function textsOf(columns: readonly string[]): RawBuilder<string[]> {
  return sql`array[${sql.join(columns.map((each) => sql`${sql.ref(each)}::text`))}]`
}

/** Maximum number of values that one call of `reseal` changes. */
const PAGE = 5_000

/**
 * Rewraps, with the first key, values that were sealed with other keys. Returns how many it changed; `complete` means that none are left.
 * A value that another process changes at the same time is left alone, because that process uses the first key too.
 */
export async function reseal(
  db: QueryExecutorProvider,
  sealer: Sealer,
  columns: readonly SealedColumn[],
): Promise<{ resealed: number; complete: boolean }> {
  let resealed = 0
  let left = PAGE
  for (const each of columns) {
    if (left === 0) break
    const found = await resealColumn(db, sealer, each, left)
    resealed += found.changed
    left -= found.rows
  }
  return { resealed, complete: left > 0 }
}

async function resealColumn(db: QueryExecutorProvider, sealer: Sealer, { table, column, key, row }: SealedColumn, limit: number) {
  const [name, sealed] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ at: string; sealed: Buffer; key: string[] }>`
    select ctid::text as at, ${sealed} as sealed, ${textsOf(key)} as key
    from ${name} where substring(${sealed} for ${sealer.head.length}) <> ${sealer.head} limit ${limit}`.execute(db)
  if (rows.length === 0) return { rows: 0, changed: 0 }
  const next = rows.map((each) => sealer.rewrap(each.sealed, row(...each.key)))
  const { numAffectedRows } = await sql`
    update ${name} t set ${sealed} = next.value
    from unnest(${rows.map(({ at }) => at)}::tid[], ${rows.map((each) => each.sealed)}::bytea[], ${next}::bytea[]) as next (at, old, value)
    where t.ctid = next.at and t.${sealed} = next.old`.execute(db)
  return { rows: rows.length, changed: Number(numAffectedRows ?? 0) }
}
