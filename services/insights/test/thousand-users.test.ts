import { task } from './insights.ts'
import { useLevels } from './use-insights.ts'

const JOB = 500

const { insights, announced, workspaceWithLimit } = useLevels()

describe('a thousand users past two levels each', () => {
  it('make exactly two thousand deliveries from concurrent jobs that each come twice', async () => {
    const workspace = await workspaceWithLimit(10)
    const users = Array.from({ length: 1_000 }, (_, i) => `user-${i}`)
    const events = Array.from({ length: 10 }, () => users.map((user) => task(workspace.appKey, user)))
      .flat()
      // Jobs have their users in different orders.
      .sort((a, b) => (a.id.slice(-8) < b.id.slice(-8) ? -1 : 1))
    const jobs = Array.from({ length: events.length / JOB }, (_, i) => events.slice(i * JOB, (i + 1) * JOB))
    const brought = [...jobs, ...jobs.toReversed()]
    const bring = async () => {
      for (let job = brought.pop(); job !== undefined; job = brought.pop()) await insights.consume(job, 60_000)
    }
    await Promise.all(Array.from({ length: 6 }, bring))

    const levels = (await announced(workspace)).map(([user, level]) => `${user} ${level}`)
    expect(levels.sort()).toEqual(users.flatMap((user) => [`${user} 80`, `${user} 100`]).sort())
    const { body } = await workspace.list().expect(200)
    expect(new Set(body.map((status: { tasks_consumed: number }) => status.tasks_consumed))).toEqual(new Set([10]))
  })
})
