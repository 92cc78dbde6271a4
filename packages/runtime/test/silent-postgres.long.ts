import { eventually, type Link, openLink } from '@onward/testbed'
import { sql } from 'kysely'
import { openDatabase, openListener, openLog } from '../src/index.ts'
import { type Tables, usePostgres } from './use-postgres.ts'

const postgres = usePostgres()
let link: Link

beforeEach(async () => {
  link = await openLink(postgres.url)
})
afterEach(async () => await link.close())

describe('the server', () => {
  it('ends a transaction whose client has disappeared', async () => {
    const leaving = openDatabase<Tables>(link.url, 1)
    const gone = leaving.transaction().execute(async (tx) => {
      await tx.insertInto('stored').values({ id: 'locked' }).execute()
      link.silence()
      await eventually(async () => expect(await postgres.countOpenTransactions()).toBe(1))
      await eventually(async () => expect(await postgres.countOpenTransactions()).toBe(0))
    })
    await expect(gone).rejects.toThrow('Query read timeout')
    await leaving.destroy()
  })
})

describe('a listener whose connection falls silent', () => {
  it('connects again and calls `onNews`', async () => {
    let news = 0
    const listener = openListener(link.url, { news: () => news++ }, openLog('test', 'silent'))
    await eventually(() => expect(news).toBe(1))
    link.silence()
    await eventually(() => expect(news).toBe(2))
    await sql`select pg_notify('news', '')`.execute(postgres.observer)
    await eventually(() => expect(news).toBe(3))
    await listener.close()
  })
})
