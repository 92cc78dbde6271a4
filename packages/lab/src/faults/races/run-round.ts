import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AreaB, type AreaResponse, assertOk, retry } from '../area-b.ts'
import { afterTasks, explain, type Notice, type Seen, UNKNOWN } from './explain.ts'
import { LEVELS, type Plan, type Setter, USERS } from './plan.ts'

const DEFAULT_LIMIT = 30
/** All requests and jobs of a round begin within this time. */
const SPREAD_MS = 6
/** How far in the future the tasks of a round with a new period length are. */
const AHEAD_MS = 60_000
const EVENTS = LEVELS.map((level) => `user_tasks_limit_${level}`)

type Workspace = { readonly name: string; readonly key: string }
type Subscriptions = { readonly always: string; readonly late: string | undefined; readonly early: string | undefined }

const isUnavailable = ({ status }: AreaResponse) => status === 503

/** Does everything in a plan at once. Throws when no sequential order explains the result. */
export async function runRound(areaB: AreaB, plan: Plan, chance: () => number): Promise<void> {
  const name = randomUUID().slice(0, 13)
  const { body } = await areaB.admin(`workspaces/${name}`, { name })
  const workspace = { name, key: (body as { partner_api_key: string }).partner_api_key }
  const subscriptions = await race(areaB, workspace, plan, chance)
  for (const pending = () => areaB.query('select from limit_change where workspace_id = $1', [name]); (await pending()).length > 0; ) {
    await areaB.applyChanges()
    await sleep(5)
  }
  await checkPeriods(areaB, name)
  const seen = await readSeen(areaB, workspace, plan, subscriptions)
  if (explain(plan.setters, DEFAULT_LIMIT, seen) === undefined) {
    const setters = plan.setters.map((each) => (each.kind === 'own' ? { ...each, limits: [...each.limits] } : each))
    throw new Error(`no sequential order explains a round: ${JSON.stringify({ setters, seen })}`)
  }
}

async function race(areaB: AreaB, { name, key }: Workspace, plan: Plan, chance: () => number): Promise<Subscriptions> {
  // A busy machine cancels statements. They have no effect then, and the response is 503.
  const send = async (instance: number, method: 'POST' | 'PATCH' | 'DELETE', path: string, sent?: object): Promise<AreaResponse> =>
    assertOk(`${method} ${path}`, await retry(() => areaB.api(instance, key, method, path, sent), isUnavailable))
  const setDays = async (days?: number) =>
    assertOk('PUT application', await areaB.admin(`applications/${name}`, { workspace_id: name, limit_period: days }))
  const subscribe = async (instance = 0) => {
    const response = await send(instance, 'POST', 'insights/subscriptions/', { events: EVENTS, callback_url: 'http://127.0.0.1:9/' })
    return (response.body as { subscription_id: string }).subscription_id
  }
  const eventsOf = (tasks: ReadonlyMap<string, number>, aheadMs = 0) =>
    [...tasks].flatMap(([user_id, count]) =>
      Array.from({ length: count }, () => {
        const occurred_at = new Date(Date.now() + aheadMs).toISOString()
        return { id: randomUUID(), app_key: name, user_id, function_name: 'demo-do', occurred_at }
      }),
    )
  const set = async (setter: Setter, instance: number) => {
    switch (setter.kind) {
      case 'own': {
        const limits = [...setter.limits].map(([user_id, allowed_tasks]) => ({ user_id, allowed_tasks }))
        return await send(instance, 'POST', `insights/users/tasks/?app_key=${name}`, limits)
      }
      case 'bulk':
        return await send(instance, 'POST', 'insights/users/tasks-bulk/', { tasks_limit: setter.limit })
      case 'default':
        return await send(instance, 'PATCH', 'accounts/me/', { tasks_limit: setter.limit })
    }
  }

  await setDays()
  await send(0, 'PATCH', 'accounts/me/', { tasks_limit: DEFAULT_LIMIT })
  const always = await subscribe()
  const early = plan.unsubscribes ? await subscribe() : undefined
  const before = { id: randomUUID(), events: eventsOf(plan.before) }
  await retry(() => areaB.ingest(0, before.id, before.events))

  let late: string | undefined
  const acts: ((instance: number) => Promise<unknown>)[] = [
    ...plan.jobs.flatMap(({ tasks, twice }) => {
      const job = { id: randomUUID(), events: eventsOf(tasks, plan.days === undefined ? 0 : AHEAD_MS) }
      const ingest = async (instance: number) => await retry(() => areaB.ingest(instance, job.id, job.events))
      return twice ? [ingest, ingest] : [ingest]
    }),
    ...plan.setters.map((setter) => async (instance: number) => await set(setter, instance)),
  ]
  if (plan.days !== undefined) acts.push(() => setDays(plan.days))
  if (early !== undefined) acts.push((instance) => send(instance, 'DELETE', `insights/subscriptions/${early}/`))
  if (plan.subscribes) {
    acts.push(async (instance) => {
      late = await subscribe(instance)
    })
  }
  await Promise.all(
    acts.map(async (act, instance) => {
      await sleep(chance() * SPREAD_MS)
      await act(instance)
    }),
  )
  return { always, late, early }
}

/**
 * Throws when a period has another length than the application had when the period began. This simple rule holds because each user has only
 * one period.
 */
async function checkPeriods(areaB: AreaB, appKey: string): Promise<void> {
  const wrong = await areaB.query(
    `select p.user_id, p.starts_at, p.ends_at, a.limit_periods
     from usage_period p join application a using (app_key), lateral (
       select (each->>'days')::int as days from jsonb_array_elements(a.limit_periods) with ordinality as list (each, place)
       where coalesce((each->>'from')::timestamptz <= p.starts_at, true) order by place desc limit 1
     ) length
     where p.app_key = $1 and p.ends_at <> p.starts_at + days * interval '24 hours'`,
    [appKey],
  )
  if (wrong.length > 0) throw new Error(`periods have another length than was set: ${JSON.stringify(wrong)}`)
}

async function readSeen(areaB: AreaB, { name, key }: Workspace, plan: Plan, { always, late, early }: Subscriptions): Promise<Seen[]> {
  const list = await areaB.api(0, key, 'GET', `insights/users/tasks/?app_key=${name}`)
  const statuses = list.body as { user_id: string; current_limit: number; tasks_consumed: number }[]
  const rows = await areaB.query('select subscription_id, user_id, level, payload from delivery where app_key = $1', [name])
  const noticesOf = (subscription: string, user: string): Notice[] =>
    rows.flatMap((row) => {
      if (row.subscription_id !== subscription || row.user_id !== user) return []
      const { tasks_consumed: consumed, current_limit: limit } = JSON.parse(String(row.payload))
      return [{ level: Number(row.level), consumed, limit }]
    })
  return USERS.map((user) => {
    const before = plan.before.get(user)
    const status = statuses.find((each) => each.user_id === user)
    return {
      user,
      start: before === undefined ? UNKNOWN : afterTasks(UNKNOWN, before, DEFAULT_LIMIT).state,
      jobs: plan.jobs.flatMap(({ tasks }) => tasks.get(user) ?? []),
      limit: status?.current_limit,
      consumed: status?.tasks_consumed ?? 0,
      notices: noticesOf(always, user),
      late: late === undefined ? undefined : noticesOf(late, user),
      early: early === undefined ? undefined : noticesOf(early, user),
    }
  })
}
