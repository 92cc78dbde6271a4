import { openQueueSpace, type QueueSpace } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../src/index.ts'

export type Tables = { stored: { id: string } }

/** Opens a database with the table `stored` for all tests of a file. `observer` reads it over separate connections. */
export function usePostgres() {
  let space: QueueSpace
  let observer: Kysely<Tables>

  beforeAll(async () => {
    space = await openQueueSpace('postgres')
    observer = openDatabase<Tables>(space.url, 2)
    await sql`create table stored (id text primary key)`.execute(observer)
  })
  afterAll(async () => {
    await observer.destroy()
    await space.close()
  })

  return {
    get url() {
      return space.url
    },
    get observer() {
      return observer
    },
    async storedIds(): Promise<string[]> {
      return (await observer.selectFrom('stored').select('id').orderBy('id').execute()).map(({ id }) => id)
    },
    async countOpenTransactions(): Promise<number> {
      const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(observer)
      return rows[0]?.open ?? -1
    },
  }
}
