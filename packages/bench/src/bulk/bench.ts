import { send } from '@onward/client'
import { createSubscription, getUserTasks, setAllLimits } from '@onward/contract'
import pg from 'pg'
import type { Bench, Lab } from '../bench.ts'
import { makeUsers, userId } from '../partner/make-users.ts'
import { type Feeder, openFeeder, taskAt } from '../partner/open-feeder.ts'
import { APP_KEY, openPartner, type Partner } from '../partner/open-partner.ts'
import { quantile } from '../partner/quantile.ts'

const NEW_LIMIT = 500
const MAX_ANSWER_MS = 1_000
const SAMPLE = 20
const PASS_TIMEOUT_MS = 30 * 60_000

/** A limit for all users at once: the answer, whether it holds, the notices, and the tasks that are counted meanwhile. */
export const bench: Bench = {
  summary: 'a bulk limit for many users: answered at once, holding at once, notices after it, tasks counted meanwhile',
  options: { users: 1_000_000 },
  async run(lab, { users = 0 }) {
    const partner = await openPartner()
    const feeder = await openFeeder(partner.suite)
    const client = new pg.Client(partner.suite.databaseUrl)
    await client.connect()
    try {
      await makeUsers(partner.suite.databaseUrl, users)
      // Nobody listens there: how fast receivers are is not what is measured.
      const body = { events: ['user_tasks_limit_80', 'user_tasks_limit_100'], callback_url: 'http://127.0.0.1:9/hook' }
      await send(partner.target, createSubscription, { body })
      lab.say(`tasks counted before: ${figures(await feedFor(feeder, users, 5_000))}`)
      await setAll(lab, partner, users)
      await watch(lab, client, feeder, users)
    } finally {
      await client.end()
      await feeder.close()
      await partner.close()
    }
  },
}

async function setAll(lab: Lab, { target }: Partner, users: number): Promise<void> {
  const start = performance.now()
  await send(target, setAllLimits, { body: { tasks_limit: NEW_LIMIT } })
  const ms = performance.now() - start
  for (let i = 0; i < SAMPLE; i++) {
    const id = userId(1 + Math.floor((i * users) / SAMPLE))
    const status = await send(target, getUserTasks, { params: { id }, query: { app_key: APP_KEY } })
    if (status.current_limit !== NEW_LIMIT) throw new Error(`${id} still has a limit of ${status.current_limit}`)
  }
  lab.say(
    `POST users/tasks-bulk with ${users} users: answered after ${ms.toFixed(0)} ms; holds for ${SAMPLE} of ${SAMPLE} users asked right after`,
  )
  if (ms > MAX_ANSWER_MS) throw new Error(`it may take at most ${MAX_ANSWER_MS} ms`)
}

/** Feeds tasks until the background pass is done, and checks the notices. */
async function watch(lab: Lab, client: pg.Client, feeder: Feeder, users: number): Promise<void> {
  const start = performance.now()
  const times: number[] = []
  for (;;) {
    times.push(...(await feedFor(feeder, users, 1_000)))
    const { rows } = await client.query<{ left: string }>('select count(*) as left from reevaluation')
    if (rows[0]?.left === '0') break
    if (performance.now() - start > PASS_TIMEOUT_MS) throw new Error('the background pass does not end')
  }
  const seconds = (performance.now() - start) / 1_000
  // A level is told when the user's mark, taken from the limit before, was below it.
  const { rows } = await client.query<{ made: number; due: number; unmarked: number }>(
    `select (select count(distinct (user_id, level)) from delivery)::int as made,
       count(*) filter (where at >= 80 and was < 80)::int + count(*) filter (where at >= 100 and was < 100)::int as due,
       count(*) filter (where level <> at)::int as unmarked
     from (select level, least(100, consumed * 100 / ${NEW_LIMIT}) as at, least(100, (1 + abs(hashtext(user_id || 1)) % 1100) / 10) as was
       from usage_period where ends_at > now()) as current`,
  )
  const { made = 0, due = 0, unmarked = 0 } = rows[0] ?? {}
  lab.say(`all looked at after ${seconds.toFixed(1)} s (${Math.round(users / seconds)} users/s), ${made} of ${due} notices stored`)
  lab.say(`tasks counted meanwhile: ${figures(times)}`)
  if (made !== due || unmarked > 0) throw new Error(`${due - made} notices are missing, ${unmarked} users have a wrong mark`)
}

/** Feeds one job of 100 tasks after another. Gives how long each took, in milliseconds. */
async function feedFor(feeder: Feeder, users: number, ms: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const events = Array.from({ length: 100 }, () => taskAt(userId(1 + Math.floor(Math.random() * users)), new Date()))
    times.push(await feeder.feed(events))
  }
  return times
}

function figures(times: readonly number[]): string {
  const at = (share: number) => quantile(times, share).toFixed(0)
  return `${times.length} jobs of 100, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`
}
