import { createSubscription, getUserTasks, setAllLimits } from '@onward/contract'
import { send, type Target } from '@onward/contract-client'
import { quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'
import { makeTask, openTaskQueue, type TaskQueue } from '../rig/task-queue.ts'
import { APP_KEY, createWorkspace } from '../rig/workspace.ts'
import { insertUsers, userId } from './users.ts'

const NEW_LIMIT = 500
const MAX_ANSWER_MS = 1_000
const SAMPLE = 20
const CHANGE_TIMEOUT_MS = 30 * 60_000

export const bulk: Command = {
  summary: 'a bulk limit for many users: answered at once, effective at once, then deliveries; tasks are counted at the same time',
  options: { users: 1_000_000 },
  async run({ say, withRig }, given) {
    const users = given.number('users')
    await withRig({ functions: 0, insights: 1, links: false }, async (rig) => {
      await rig.start()
      const { target } = await createWorkspace(rig)
      await insertUsers(rig.insightsDb, users)
      // No receiver listens there: the speed of receivers is not measured.
      const body = { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: 'http://127.0.0.1:9/hook' }
      await send(target, createSubscription, { body })
      const queue = await openTaskQueue(rig.queueUrl)
      try {
        say(`tasks counted before: ${textOf(await feedFor(queue, users, 5_000))}`)
        await setAll(say, target, users)
        await untilApplied(say, rig, queue, users)
      } finally {
        await queue.close()
      }
    })
  },
}

async function setAll(say: (line: string) => void, target: Target, users: number): Promise<void> {
  const start = performance.now()
  await send(target, setAllLimits, { body: { tasks_limit: NEW_LIMIT } })
  const ms = performance.now() - start
  for (let i = 0; i < SAMPLE; i++) {
    const id = userId(1 + Math.floor((i * users) / SAMPLE))
    const status = await send(target, getUserTasks, { params: { id }, query: { app_key: APP_KEY } })
    if (status.current_limit !== NEW_LIMIT) throw new Error(`${id} still has a limit of ${status.current_limit}`)
  }
  say(
    `POST users/tasks-bulk with ${users} users: answered after ${ms.toFixed(0)} ms; effective for ${SAMPLE} of ${SAMPLE} users asked next`,
  )
  if (ms > MAX_ANSWER_MS) throw new Error(`it may take at most ${MAX_ANSWER_MS} ms`)
}

/** Adds tasks to the queue until the limit change is applied to all users. Then checks the deliveries. */
async function untilApplied(say: (line: string) => void, { insightsDb }: Rig, queue: TaskQueue, users: number): Promise<void> {
  const start = performance.now()
  const times: number[] = []
  do {
    times.push(...(await feedFor(queue, users, 1_000)))
    if (performance.now() - start > CHANGE_TIMEOUT_MS) throw new Error('the limit change does not end')
  } while ((await countRows(insightsDb, 'limit_change')) > 0)
  const seconds = (performance.now() - start) / 1_000
  // A level gets a delivery when the level that was reached under the old limit is below it.
  const [found] = await queryPostgres<{ made: number; due: number; wrong: number }>(
    insightsDb,
    `select (select count(distinct (user_id, level)) from delivery)::int as made,
       count(*) filter (where at >= 80 and was < 80)::int + count(*) filter (where at >= 100 and was < 100)::int as due,
       count(*) filter (where level <> at)::int as wrong
     from (select level, least(100, consumed * 100 / ${NEW_LIMIT}) as at, least(100, (1 + abs(hashtext(user_id || 1)) % 1100) / 10) as was
       from usage_period where ends_at > now()) as current`,
  )
  const { made = 0, due = 0, wrong = 0 } = found ?? {}
  say(`applied to all after ${seconds.toFixed(1)} s (${Math.round(users / seconds)} users/s), ${made} of ${due} deliveries stored`)
  say(`tasks counted during the limit change: ${textOf(times)}`)
  if (made !== due || wrong > 0) throw new Error(`${due - made} deliveries are missing, ${wrong} users have a wrong level`)
}

/** Adds jobs of 100 tasks for `ms`, each when the one before is completed. Returns how many milliseconds each took. */
async function feedFor(queue: TaskQueue, users: number, ms: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const tasks = Array.from({ length: 100 }, () => makeTask(userId(1 + Math.floor(Math.random() * users)), new Date()))
    times.push(await queue.complete(tasks))
  }
  return times
}

function textOf(times: readonly number[]): string {
  const at = (share: number) => quantile(times, share).toFixed(0)
  return `${times.length} jobs of 100, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`
}
