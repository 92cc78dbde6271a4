import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** What people may type for a function. `hash` is the hash of the function's text. */
export type WrittenPhrasings = { readonly hash: string; readonly phrasings: readonly string[] }

/** A process that has not written the phrasings of a claimed text within this time has ended or failed. */
const CLAIM_SECONDS = 120
const UNUSED_DAYS = 30

/** Claims at most `count` of these texts that have no phrasings and that no other process has claimed. Returns their hashes. */
export async function claimTexts(db: Db, hashes: readonly string[], count: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    insert into function_phrasing (text_hash)
    select hash from unnest(${hashes}::text[]) hash
    where not exists (
      select from function_phrasing f
      where f.text_hash = hash and (f.phrasings is not null or f.claimed_at > now() - make_interval(secs => ${CLAIM_SECONDS}))
    )
    limit ${count}
    on conflict (text_hash) do update set claimed_at = now()
      where function_phrasing.phrasings is null
        and function_phrasing.claimed_at <= now() - make_interval(secs => ${CLAIM_SECONDS})
    returning text_hash as hash`.execute(db)
  return rows.map(({ hash }) => hash)
}

export async function storePhrasings(db: Db, written: readonly WrittenPhrasings[]): Promise<void> {
  await sql`
    update function_phrasing f set phrasings = array(select jsonb_array_elements_text(w.phrasings)), written_at = now()
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as w(hash text, phrasings jsonb)
    where f.text_hash = w.hash`.execute(db)
}

/** Returns how many of these texts have no phrasings yet, and deletes the phrasings of all other texts after a month. */
export async function countUnwritten(db: Db, hashes: readonly string[]): Promise<number> {
  await sql`
    delete from function_phrasing
    where written_at < now() - make_interval(days => ${UNUSED_DAYS}) and text_hash <> all(${hashes}::text[])`.execute(db)
  const { rows } = await sql<{ written: number }>`
    select count(*)::int as written from function_phrasing
    where phrasings is not null and text_hash = any(${hashes}::text[])`.execute(db)
  return hashes.length - (rows[0]?.written ?? 0)
}

/** Returns the phrasings of these texts, without texts for which the model wrote none. */
export async function selectPhrasings(db: Db, hashes: readonly string[]): Promise<WrittenPhrasings[]> {
  const { rows } = await sql<WrittenPhrasings>`
    select text_hash as hash, phrasings from function_phrasing
    where phrasings <> '{}' and text_hash = any(${hashes}::text[])`.execute(db)
  return rows
}

/** Returns when phrasings were last written, null if never, and whether none were written in the last two seconds. */
export async function findLastWritten(db: Db): Promise<{ readonly at: number | null; readonly settled: boolean }> {
  const { rows } = await sql<{ at: Date | null; settled: boolean }>`
    select max(written_at) as at, coalesce(max(written_at) < now() - interval '2 seconds', true) as settled
    from function_phrasing`.execute(db)
  return { at: rows[0]?.at?.getTime() ?? null, settled: rows[0]?.settled ?? true }
}
