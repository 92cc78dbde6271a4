import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo, type Insights, openInsights } from './insights.ts'

let insights: Insights
beforeAll(async () => {
  insights = await openInsights()
})
afterAll(async () => await insights.close())

const NAMES = Array.from({ length: 6 }, (_, n) => `shared-${n}`)

describe('jobs that wait at the same time', () => {
  it('are counted together, and what one of them brings in vain is kept as that job’s', async () => {
    const partner = await insights.partner()
    await insights.consume(partner.tasks('joe', 1))
    const eventsOf = (n: number) => [
      // Of each job another number, so that no job's faults stand where another's do.
      ...partner.tasks('joe', n + 1),
      ...partner.tasks(`late-${n}`, 1, daysAgo(40)),
      { id: n },
      ...partner.tasks(`ann-${n}`, 1),
    ]

    let jobs: Promise<unknown>[] = []
    // The first waits for the user; the others come meanwhile.
    await insights.whileUserIsLocked(partner.appKey, 'joe', 1, () => {
      jobs = NAMES.map((name, n) => insights.addJob({ events: eventsOf(n) }, name))
    })
    await Promise.all(jobs)

    const { body } = await partner.status('joe').expect(200)
    expect(body.tasks_consumed).toBe(1 + 1 + 2 + 3 + 4 + 5 + 6)
    const counted = await insights.db
      .selectFrom('task_event')
      .select(['user_id', sql<string>`xmin::text`.as('transaction')])
      .execute()
    const ofAnn = counted.filter(({ user_id }) => user_id.startsWith('ann-'))
    expect(ofAnn.map(({ user_id }) => user_id).sort()).toEqual(NAMES.map((_, n) => `ann-${n}`))
    expect(new Set(ofAnn.map(({ transaction }) => transaction)).size).toBeLessThan(NAMES.length)

    await eventually(async () => {
      const kept = await insights.db.selectFrom('quarantine').select(['job_id', 'event']).where('job_id', 'in', NAMES).execute()
      expect(kept).toHaveLength(2 * NAMES.length)
      for (const [n, name] of NAMES.entries()) {
        const events = kept.filter((each) => each.job_id === name).map(({ event }) => JSON.parse(event))
        expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ user_id: `late-${n}` }), { id: n }]))
      }
    })
  })
})
