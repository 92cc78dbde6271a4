import { LIMIT_QUEUE, type LimitStatesJob } from '@onward/contract'
import type { Queue } from '@onward/runtime'
import { eventually, openStoredQueues } from '@onward/testbed'
import { sql } from 'kysely'
import { useLimitStates } from './use-limit-states.ts'

const limits = useLimitStates({ repeats: true })
/** More than may wait, one of them in hand. */
const OTHERS = Array.from({ length: 102 }, () => ({
  data: { states: [{ app_key: 'other', user_id: 'other', seq: 1, blocked_until: null }] },
}))
const { setLimit, ofPartner, told } = limits

describe('a state that was lost', () => {
  const DUE = sql`publish_at = now()`
  const LONG_CHANGED = sql`publish_at = now(), changed_at = now() - interval '16 minutes'`
  /** Joe's, as `row` is. */
  const set = (values: typeof DUE) =>
    sql`update limit_state set ${values} where app_key = ${limits.partner.appKey} and user_id = 'joe'`.execute(limits.insights.db)
  const row = () =>
    limits.insights.db
      .selectFrom('limit_state')
      .selectAll()
      .where('app_key', '=', limits.partner.appKey)
      .where('user_id', '=', 'joe')
      .executeTakeFirst()

  /** Sets it once it is noted that it was told: the note would undo that. */
  async function setOnceNoted(values: typeof DUE): Promise<void> {
    await eventually(async () => expect(Number((await row())?.publish_at)).toBeGreaterThan(Date.now() + 60_000))
    await set(values)
  }

  /** Does something while functions takes no messages, and more of them wait than there is room for. */
  async function afterMessagesThatWait(work: (waiting: Queue<LimitStatesJob>) => Promise<void>): Promise<void> {
    let release = () => {}
    limits.hold(
      new Promise((resolve) => {
        release = resolve
      }),
    )
    const waiting = limits.queues.queue<LimitStatesJob>(LIMIT_QUEUE)
    try {
      await waiting.addAll(OTHERS)
      await eventually(async () => expect((await waiting.counts()).waiting).toBe(101))
      await work(waiting)
    } finally {
      release()
    }
  }

  it('is told again, with the same number', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    await setOnceNoted(DUE)
    await told('joe', 2)
    await setLimit('joe', 1)
    await told('joe', 3)
    await setOnceNoted(DUE)
    await told('joe', 4)
    const [first, again, freed, freedAgain] = ofPartner('joe')
    expect([again, freedAgain]).toEqual([first, freed])
  })

  it('is told two minutes later as long as it blocks, and forgotten a quarter of an hour after it ceased to', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    await eventually(async () => {
      const inSeconds = (Number((await row())?.publish_at) - Date.now()) / 1_000
      expect(Math.abs(inSeconds - 115)).toBeLessThan(6)
    })
    await setLimit('joe', 1)
    await told('joe', 2)
    await setOnceNoted(LONG_CHANGED)
    await eventually(async () => expect(await row()).toBeUndefined())
    await told('joe', 3)
    expect(ofPartner('joe')).toHaveLength(3)
  })

  it('is told that it ceased to block after a quarter of an hour in which nobody could be told', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    await afterMessagesThatWait(async () => {
      await setLimit('joe', 1)
      await set(LONG_CHANGED)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
    })
    expect((await told('joe', 2))[1]).toBeNull()
  })

  it('is not told, nor told again, while too many messages wait for functions', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    await afterMessagesThatWait(async (waiting) => {
      await setOnceNoted(DUE)
      await setLimit('ann', 0)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect((await waiting.counts()).waiting).toBe(101)
      // Nobody has taken it in hand for nothing.
      expect(Number((await row())?.publish_at)).toBeLessThan(Date.now())
    })
    await told('joe', 2)
    await told('ann', 1)
  })

  it('is not told again while functions takes messages and can store none', async () => {
    await setLimit('joe', 0)
    await told('joe', 1)
    const away = Promise.reject(new Error('no database'))
    away.catch(() => {})
    limits.hold(away)
    const messages = limits.queues.queue<LimitStatesJob>(LIMIT_QUEUE)
    try {
      await messages.addAll(OTHERS)
      await eventually(async () => {
        const { waiting, delayed } = await messages.counts()
        expect(waiting + delayed).toBeGreaterThanOrEqual(101)
        expect(delayed).toBeGreaterThan(0)
      })
      await setOnceNoted(DUE)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      expect(Number((await row())?.publish_at)).toBeLessThan(Date.now())
    } finally {
      limits.hold(Promise.resolve())
      const { queueUrl: url, queuePrefix: prefix } = limits.insights.config
      const stored = openStoredQueues({ url, prefix })
      await stored.drain(LIMIT_QUEUE)
      await stored.close()
    }
    await told('joe', 2)
  })

  it('is told by whoever finds it when its process died before it could', async () => {
    await sql`insert into limit_state values (${limits.partner.appKey}, 'joe', nextval('limit_state_seq'), now() + interval '1 day', now(), now())`.execute(
      limits.insights.db,
    )
    expect(await told('joe', 1)).toEqual([expect.any(String)])
  })
})
