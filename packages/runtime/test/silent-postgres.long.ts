import { eventually, type Link, openLink, openQueueSpace, type QueueSpace } from '@onward/testbed'
import { type Kysely, sql } from 'kysely'
import { openDatabase, openListener, openLog } from '../src/index.ts'

type Tables = { stored: { id: string } }

let space: QueueSpace
let observer: Kysely<Tables>
let link: Link

beforeAll(async () => {
  space = await openQueueSpace('postgres')
  observer = openDatabase<Tables>(space.url, 2)
  await sql`create table stored (id text primary key)`.execute(observer)
})
beforeEach(async () => {
  link = await openLink(space.url)
})
afterEach(async () => await link.close())
afterAll(async () => {
  await observer.destroy()
  await space.close()
})

async function countOpenTransactions(): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(observer)
  return rows[0]?.open ?? -1
}

describe('the server', () => {
  it('ends a transaction whose client has disappeared', async () => {
    const leaving = openDatabase<Tables>(link.url, 1)
    const gone = leaving.transaction().execute(async (tx) => {
      await tx.insertInto('stored').values({ id: 'locked' }).execute()
      link.silence()
      await eventually(async () => expect(await countOpenTransactions()).toBe(1))
      await eventually(async () => expect(await countOpenTransactions()).toBe(0), 20_000)
    })
    await expect(gone).rejects.toThrow('Query read timeout')
    await leaving.destroy()
  })
})

describe('a listener whose connection falls silent', () => {
  it('connects again and calls `onNews`', async () => {
    let news = 0
    const listener = openListener(link.url, 'news', () => news++, openLog('test', 'silent'))
    await eventually(() => expect(news).toBe(1))
    link.silence()
    await eventually(() => expect(news).toBe(2), 20_000)
    await sql`select pg_notify('news', '')`.execute(observer)
    await eventually(() => expect(news).toBe(3))
    await listener.close()
  })
})
