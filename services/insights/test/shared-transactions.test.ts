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

  it('are counted in two transactions for different users when they have thousands of tasks', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 1))
    const users = ['amy', 'ben', 'cat', 'dan']
    const events = users.flatMap((user) => workspace.tasks(user, 600))
    const [first] = events
    const all = [...events, ...events.slice(0, 100), { ...first, user_id: 'ben' }]
    const before = [await insights.metric('tasks_counted_total'), await insights.metric('tasks_repeated_total')]

    let jobs: Promise<unknown>[] = []
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 1, async () => {
      jobs = [insights.consume(workspace.tasks('joe', 1))]
      await insights.takesJobs(1)
      jobs.push(...Array.from({ length: 6 }, (_, n) => insights.consume(all.slice(n * 450, (n + 1) * 450))))
      await insights.takesJobs(7)
    })
    await Promise.all(jobs)

    const consumed = await Promise.all(users.map(async (user) => (await workspace.status(user).expect(200)).body.tasks_consumed as number))
    // An id that two users have counts for the user whose event was stored first.
    expect([
      [600, 600, 600, 600],
      [599, 601, 600, 600],
    ]).toContainEqual(consumed)
    const { rows } = await sql<{ user_id: string; transaction: string }>`
      select distinct user_id, xmin::text as transaction from task_event
      where app_key = ${workspace.appKey} and user_id <> 'joe' order by user_id`.execute(insights.db)
    expect(rows.map(({ user_id }) => user_id)).toEqual(users)
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBe(2)
    const after = [await insights.metric('tasks_counted_total'), await insights.metric('tasks_repeated_total')]
    expect(after.map((count, i) => count - (before[i] ?? 0))).toEqual([2_400 + 1, 100 + 1])
  })

  it('are counted when one user has thousands of tasks', async () => {
    const workspace = await insights.workspace()
    await insights.consume(workspace.tasks('joe', 1))
    let jobs: Promise<unknown>[] = []
    await insights.whileUserIsLocked(workspace.appKey, 'joe', 1, async () => {
      jobs = [insights.consume(workspace.tasks('joe', 1))]
      await insights.takesJobs(1)
      jobs.push(...Array.from({ length: 6 }, () => insights.consume(workspace.tasks('amy', 450))))
      await insights.takesJobs(7)
    })
    await Promise.all(jobs)
    expect((await workspace.status('amy').expect(200)).body.tasks_consumed).toBe(2_700)
    expect((await workspace.status('joe').expect(200)).body.tasks_consumed).toBe(2)
  })

  it('are counted although a user of the other transaction is locked', async () => {
    const workspace = await insights.workspace()
    for (const user of ['joe', 'amy', 'ben']) await insights.consume(workspace.tasks(user, 1))
    const before = await insights.metric('tasks_counted_total')
    const consumedBy = async (user: string) => (await workspace.status(user).expect(200)).body.tasks_consumed as number
    let jobs: Promise<unknown>[] = []
    await insights.whileUserIsLocked(workspace.appKey, 'amy', 1, async () => {
      await insights.whileUserIsLocked(workspace.appKey, 'joe', 1, async () => {
        jobs = [insights.consume(workspace.tasks('joe', 1))]
        await insights.takesJobs(1)
        jobs.push(...['amy', 'amy', 'amy', 'ben', 'ben', 'ben'].map((user) => insights.consume(workspace.tasks(user, 450))))
        await insights.takesJobs(7)
      })
      // The task of joe, and all of ben.
      await eventually(async () => expect(await insights.metric('tasks_counted_total')).toBe(before + 1 + 1_350))
      expect([await consumedBy('amy'), await consumedBy('ben')]).toEqual([1, 1_351])
    })
    await Promise.all(jobs)
    expect([await consumedBy('amy'), await consumedBy('ben')]).toEqual([1_351, 1_351])
  })
})
