import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'
import type { Log } from '../log.ts'
import type { Sealer } from '../seal.ts'
import { openLoop } from '../time.ts'

/** A column with sealed values. `row` returns the row name with which a value was sealed, from the texts of its `key` columns. */
export type SealedColumn = {
  readonly table: string
  readonly column: string
  readonly key: readonly string[]
  row(...key: readonly string[]): string
}

export type SealingCheck = {
  /** Rejects while stored secrets cannot be opened. */
  check(): Promise<void>
  close(): Promise<void>
}

const CHECK_EVERY_MS = 15_000

/**
 * Looks in the background for keys whose stored secrets cannot be opened, and logs their ids, until there are none: the keys of a process do
 * not change. It reads each table once, and opens two secrets of each key.
 */
export function openSealingCheck(db: QueryExecutorProvider, sealer: Sealer, columns: readonly SealedColumn[], log: Log): SealingCheck {
  let missing: readonly string[] | undefined
  async function look(): Promise<void> {
    if (missing?.length === 0) return
    missing = await findMissingKeys(db, sealer, columns)
    if (missing.length > 0)
      log.error({ keys: missing }, 'stored secrets cannot be opened: SEALING_KEYS lacks the right keys with these ids')
  }
  const loop = openLoop(CHECK_EVERY_MS, look, log, 'at once')
  return {
    async check() {
      if (missing !== undefined && missing.length > 0) throw new Error(`SEALING_KEYS lacks the right key for ${missing.join(', ')}`)
    },
    close: loop.close,
  }
}

/** Returns the ids of keys with which neither of two secrets opens. So one damaged secret is not taken for a missing key. */
async function findMissingKeys(db: QueryExecutorProvider, sealer: Sealer, columns: readonly SealedColumn[]): Promise<string[]> {
  const opens = new Map<string, boolean>()
  for (const each of columns) {
    for (const { sealed, key } of await readTwoOfEachKey(db, each)) {
      const id = sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString()
      opens.set(id, opens.get(id) === true || canOpen(sealer, sealed, each.row(...key)))
    }
  }
  return [...opens].flatMap(([id, opened]) => (opened ? [] : [id]))
}

function canOpen(sealer: Sealer, sealed: Buffer, row: string): boolean {
  try {
    sealer.openBytes(sealed, row)
    return true
  } catch {
    return false
  }
}

async function readTwoOfEachKey(db: QueryExecutorProvider, { table, column, key }: SealedColumn) {
  const [name, sealed] = [sql.table(table), sql.ref(column)]
  const { rows } = await sql<{ sealed: Buffer; key: string[] }>`
    with found as (
      select min(ctid) as first, max(ctid) as last from ${name} where ${sealed} is not null
      group by substring(${sealed} for 1 + get_byte(${sealed}, 0)))
    select ${sealed} as sealed, ${textsOf(key)} as key from ${name}
    where ctid in (select first from found union select last from found)`.execute(db)
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
