import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** `hash` is the hash of the text, in hex. */
type Embedding = { readonly hash: string; readonly vector: readonly number[] }

const UNUSED_DAYS = 30

/** Returns which of these texts have an embedding of a model. */
export async function selectEmbedded(db: Db, model: string, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`
    select text_hash as hash from function_embedding where model = ${model} and text_hash = any(${hashes}::text[])`.execute(db)
  return new Set(rows.map(({ hash }) => hash))
}

/** Stores embeddings. Several processes may store the same ones. */
export async function insertEmbeddings(db: Db, model: string, embeddings: readonly Embedding[]): Promise<void> {
  const rows = embeddings.map(({ hash, vector }) => ({ model, text_hash: hash, vector: [...vector] }))
  await db
    .insertInto('function_embedding')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns the stored embeddings of these texts. */
export async function selectEmbeddings(
  db: Db,
  model: string,
  hashes: readonly string[],
): Promise<{ hash: string; vector: Float32Array }[]> {
  // In binary form: parsing the numbers of a large catalog as text would take seconds.
  const { rows } = await sql<{ hash: string; bytes: Buffer }>`
    select text_hash as hash, array_send(vector) as bytes from function_embedding
    where model = ${model} and text_hash = any(${hashes}::text[])`.execute(db)
  return rows.map(({ hash, bytes }) => ({ hash, vector: readArray(bytes) }))
}

/** Reads the binary form of a one-dimensional real[]: a header of 20 bytes, then each number after its length. */
function readArray(bytes: Buffer): Float32Array {
  const vector = new Float32Array((bytes.length - 20) / 8)
  for (let i = 0; i < vector.length; i++) vector[i] = bytes.readFloatBE(24 + i * 8)
  return vector
}

/** Marks these embeddings as used, and deletes all embeddings that no process has used for a month. */
export async function refreshEmbeddings(db: Db, model: string, hashes: readonly string[]): Promise<void> {
  await sql`
    update function_embedding set used_at = now()
    where model = ${model} and text_hash = any(${hashes}::text[]) and used_at < now() - interval '1 day'`.execute(db)
  await sql`delete from function_embedding where used_at < now() - make_interval(days => ${UNUSED_DAYS})`.execute(db)
}

/** Creates the extension pgvector if the server offers it. Returns whether it exists. */
export async function enablePgvector(db: Db): Promise<boolean> {
  const { rows } = await sql`select from pg_available_extensions where name = 'vector'`.execute(db)
  if (rows.length === 0) return false
  // This fails if another process creates it at the same time, or if the role lacks the right. Only the query below decides.
  await sql`create extension if not exists vector`.execute(db).catch(() => {})
  return (await sql`select from pg_extension where extname = 'vector'`.execute(db)).rows.length > 0
}

/** Returns the hashes of the nearest embeddings by cosine, nearest first. Requires pgvector. */
export async function selectNearest(db: Db, model: string, vector: readonly number[], count: number): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select text_hash as hash from function_embedding
    where model = ${model} and cardinality(vector) = ${vector.length}
    order by vector::vector <=> ${[...vector]}::real[]::vector limit ${count}`.execute(db)
  return rows.map(({ hash }) => hash)
}
