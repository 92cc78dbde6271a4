import { openDatabase } from '@onward/runtime'
import { openSuite, type Suite } from '@onward/testbed'
import { sql } from 'kysely'
import { changeBlocking, markPublished, takeDueBlocking } from '../src/db/blocking.ts'
import type { Db, Tables } from '../src/db/tables.ts'

describe('the publication of a blocked user', () => {
  let suite: Suite
  let db: Db
  beforeAll(async () => {
    suite = await openSuite('insights')
    db = openDatabase<Tables>(suite.databaseUrl, 4)
  })
  afterAll(async () => {
    await db.destroy()
    await suite.close()
  })

  const change = async (blockedUntil: Date | null) => await changeBlocking(db, [{ appKey: 'a', userId: 'joe', blockedUntil, begun: true }])
  const makeDue = async () => await sql`update blocking set publish_at = now()`.execute(db)

  it('does not postpone a newer change of the same user, which was not published', async () => {
    const first = await change(new Date(Date.now() + 3_600_000))
    const second = await change(null)
    await makeDue()
    await markPublished(db, first)
    expect(await takeDueBlocking(db, 10)).toEqual(second)
    await makeDue()
    await markPublished(db, second)
    expect(await takeDueBlocking(db, 10)).toEqual([])
  })
})
