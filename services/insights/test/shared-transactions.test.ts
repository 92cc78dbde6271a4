import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { daysAgo } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()

const NAMES = Array.from({ length: 6 }, (_, n) => `shared-${n}`)

describe('jobs that wait at the same time', () => {
  it('are counted together, and their invalid events are stored under their own jobs', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 1))
    const eventsOf = (n: number) => [
      // Each job has another number of events, so that its invalid ones have other positions.
      ...workspace.tasks('joe', n + 1),
      ...workspace.tasks(`late-${n}`, 1, daysAgo(40)),
      { id: n },
      ...workspace.tasks(`ann-${n}`, 1),
    ]

    let jobs: Promise<unknown>[] = []
    // The first job waits for the lock of the user. The others come at the same time.
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 1, () => {
      jobs = NAMES.map((name, n) => insights.addJob({ events: eventsOf(n) }, name))
    })
    await Promise.all(jobs)

    const { body } = await workspace.status('joe').expect(200)
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
