import { openDatabase } from '@onward/runtime'
import { openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { type BlockingKey, deleteOldBlocking, type ReadFrom, readBlocking, storeBlocking } from '../../src/db/blocking.ts'
import type { Db, Tables } from '../../src/db/tables.ts'

describe('reading blocked users', () => {
  let suite: Suite
  let db: Db
  beforeAll(async () => {
    suite = await openSuite('functions')
    db = openDatabase<Tables>(suite.databaseUrl, 4)
  })
  afterAll(async () => {
    await db.destroy()
    await suite.close()
  })

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

  it('returns a state that was stored but not committed at the earlier read', async () => {
    let from: ReadFrom | undefined
    await db.transaction().execute(async (tx) => {
      await storeBlocking(tx, [{ app_key: 'a', user_id: 'joe', seq: 1, blocked_until: inAnHour() }])
      const { states, next } = await readBlocking(db, undefined, undefined, 10)
      expect(states).toEqual([])
      from = next
    })
    const { states } = await readBlocking(db, from, undefined, 10)
    expect(states).toMatchObject([{ appKey: 'a', userId: 'joe' }])
  })

  it('returns pages with each state once, whether they were stored together or not', async () => {
    const state = (user_id: string) => ({ app_key: 'b', user_id, seq: 1, blocked_until: inAnHour() })
    const users = Array.from({ length: 25 }, (_, i) => `user-${i}`)
    const { next: from } = await readBlocking(db, undefined, undefined, 10)
    await storeBlocking(db, users.slice(0, 15).map(state))
    for (const user of users.slice(15)) await storeBlocking(db, [state(user)])
    for (const start of [from, undefined]) {
      const read: string[] = []
      let after: BlockingKey | undefined
      do {
        const page = await readBlocking(db, start, after, 10)
        expect(page.states.length).toBeLessThanOrEqual(10)
        read.push(...page.states.filter(({ appKey }) => appKey === 'b').map(({ userId }) => userId))
        after = page.last
      } while (after !== undefined)
      expect(new Set(read)).toEqual(new Set(users))
      expect(read).toHaveLength(users.length)
    }
  })

  it('ends with states that were not confirmed for a day, which are deleted in pages', async () => {
    await sql`update blocking set confirmed_at = now() - interval '25 hours' where user_id <> 'joe'`.execute(db)
    expect(await deleteOldBlocking(db, 20)).toBe(20)
    expect(await deleteOldBlocking(db, 20)).toBe(5)
    expect((await sql<{ user_id: string }>`select user_id from blocking`.execute(db)).rows).toEqual([{ user_id: 'joe' }])
  })
})
