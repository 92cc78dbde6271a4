import { BLOCKING_QUEUE, type BlockingJob } from '@onward/contract'
import type { Queue } from '@onward/runtime'
import { eventually, openStoredQueues } from '@onward/testbed'
import { sql } from 'kysely'
import { lockUsers } from '../src/db/users.ts'
import { useBlocking } from './use-insights.ts'

const blocking = useBlocking({ repeats: true })
const { setLimit, messagesOf, published } = blocking
const { insights, workspace } = blocking
/** More messages than may wait; functions holds one of them. */
const OTHERS = Array.from({ length: 102 }, () => ({
  data: { states: [{ app_key: 'other', user_id: 'other', seq: 1, blocked_until: null }] },
}))

describe('a change of a blocked user', () => {
  const DUE = sql`publish_at = now()`
  const LONG_CHANGED = sql`publish_at = now(), changed_at = now() - interval '16 minutes'`
  /** Changes the row of a user in `blocking`. */
  const set = (values: typeof DUE, userId = 'joe') =>
    sql`update blocking set ${values} where app_key = ${workspace.appKey} and user_id = ${userId}`.execute(insights.db)
  const row = (userId = 'joe') =>
    insights.db.selectFrom('blocking').selectAll().where('app_key', '=', workspace.appKey).where('user_id', '=', userId).executeTakeFirst()

  /** Changes the row after its publication was recorded, which would overwrite the change. */
  async function setWhenPublished(values: typeof DUE): Promise<void> {
    await eventually(async () => expect(Number((await row())?.publish_at)).toBeGreaterThan(Date.now() + 60_000))
    await set(values)
  }

  /** Waits until all background work has run twice more. It renews the ended block of a user with a limit of 0. */
  async function backgroundRuns(): Promise<void> {
    await setLimit('marker', 0)
    for (let run = 1; run <= 2; run++) {
      await set(sql`blocked_until = now() - interval '1 second'`, 'marker')
      await eventually(async () => expect(Number((await row('marker'))?.blocked_until)).toBeGreaterThan(Date.now()))
    }
  }

  /** Calls `work` while functions takes no messages, and more of them wait than may. */
  async function whileMessagesWait(work: (waiting: Queue<BlockingJob>) => Promise<void>): Promise<void> {
    let release = () => {}
    blocking.hold(
      new Promise((resolve) => {
        release = resolve
      }),
    )
    const waiting = blocking.queues.queue<BlockingJob>(BLOCKING_QUEUE)
    try {
      await waiting.addAll(OTHERS)
      await eventually(async () => expect((await waiting.counts()).waiting).toBe(101))
      await work(waiting)
    } finally {
      release()
    }
  }

  it('is published again with the same number when it was lost', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await setWhenPublished(DUE)
    await published('joe', 2)
    await setLimit('joe', 1)
    await published('joe', 3)
    await setWhenPublished(DUE)
    await published('joe', 4)
    const [first, again, freed, freedAgain] = messagesOf('joe')
    expect([again, freedAgain]).toEqual([first, freed])
  })

  it('is published every two minutes while it blocks, and deleted 15 minutes after it ended', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await eventually(async () => {
      const inSeconds = (Number((await row())?.publish_at) - Date.now()) / 1_000
      expect(Math.abs(inSeconds - 115)).toBeLessThan(6)
    })
    await setLimit('joe', 1)
    await published('joe', 2)
    await setWhenPublished(LONG_CHANGED)
    await eventually(async () => expect(await row()).toBeUndefined())
    await published('joe', 3)
    expect(messagesOf('joe')).toHaveLength(3)
  })

  it('is published after 15 minutes in which it could not be', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await whileMessagesWait(async () => {
      await setLimit('joe', 1)
      await set(LONG_CHANGED)
      await backgroundRuns()
    })
    expect((await published('joe', 2))[1]).toBeNull()
  })

  it('is not published while too many messages wait for functions', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await whileMessagesWait(async (waiting) => {
      await setWhenPublished(DUE)
      await setLimit('ann', 0)
      await backgroundRuns()
      expect((await waiting.counts()).waiting).toBe(101)
      // No process has claimed the row in vain.
      expect(Number((await row())?.publish_at)).toBeLessThan(Date.now())
    })
    await published('joe', 2)
    await published('ann', 1)
  })

  it('is not published while functions takes messages but cannot store them', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    const away = Promise.reject(new Error('no database'))
    away.catch(() => {})
    blocking.hold(away)
    const messages = blocking.queues.queue<BlockingJob>(BLOCKING_QUEUE)
    try {
      await messages.addAll(OTHERS)
      await eventually(async () => {
        const { waiting, delayed } = await messages.counts()
        expect(waiting + delayed).toBeGreaterThanOrEqual(101)
        expect(delayed).toBeGreaterThan(0)
      })
      await setWhenPublished(DUE)
      await backgroundRuns()
      expect(Number((await row())?.publish_at)).toBeLessThan(Date.now())
    } finally {
      blocking.hold(Promise.resolve())
      const { queueUrl: url, queuePrefix: prefix } = insights.config
      const stored = openStoredQueues({ url, prefix })
      await stored.drain(BLOCKING_QUEUE)
      await stored.close()
    }
    await published('joe', 2)
  })

  it('gets a much higher number after a restart of Postgres, in which the last numbers may have been lost', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await sql`update reconciliation set server_started_at = '2026-01-01'`.execute(insights.db)
    await eventually(async () => {
      const { server_started_at } = await insights.db.selectFrom('reconciliation').selectAll().executeTakeFirstOrThrow()
      expect(server_started_at).not.toEqual(new Date('2026-01-01'))
    })
    for (const times of [2, 3]) {
      await setWhenPublished(DUE)
      await published('joe', times)
    }
    await setLimit('ann', 0)
    await published('ann', 1)
    const [first, again, third] = messagesOf('joe')
    const raised = (first?.seq ?? 0) + 1_000_000
    expect([again, third]).toEqual(Array(2).fill({ ...first, seq: again?.seq }))
    expect([again?.seq, messagesOf('ann')[0]?.seq].every((seq) => (seq ?? 0) > raised)).toBe(true)
  })

  it('gets a higher number than the stored one, even if the sequence is lower', async () => {
    await setLimit('joe', 0)
    await published('joe', 1)
    await setWhenPublished(sql`seq = seq + 100`)
    await setLimit('joe', 1)
    await published('joe', 2)
    const [first, second] = messagesOf('joe')
    expect(second?.seq).toBe((first?.seq ?? 0) + 101)
  })

  it('is published by another process when its own died', async () => {
    await sql`insert into blocking values (${workspace.appKey}, 'joe', nextval('blocking_seq'), now() + interval '1 day', now(), now())`.execute(
      insights.db,
    )
    expect(await published('joe', 1)).toEqual([expect.any(String)])
  })

  it('waits for a transaction that counts tasks of the user, when a block ends', async () => {
    await insights.consume(workspace.tasks('joe', 1))
    await setLimit('joe', 1)
    await published('joe', 1)
    await insights.limitChangesApplied()
    await insights.db.transaction().execute(async (tx) => {
      await lockUsers(tx, [{ appKey: workspace.appKey, userId: 'joe' }])
      await set(sql`blocked_until = now() - interval '1 second'`)
      await insights.waitsForLock(1)
      await sql`update usage_period set consumed = 0 where app_key = ${workspace.appKey}`.execute(tx)
    })
    await eventually(async () => expect((await row())?.blocked_until).toBeNull())
  })
})
