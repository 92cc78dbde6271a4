import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../model/ask.ts'
import { checkWindows } from './check-windows.ts'
import type { Seen } from './explain.ts'
import { explain } from './explain.ts'
import type { Arena } from './open-arena.ts'
import { EVENTS, type Plan, USERS } from './plan.ts'
import { afterTasks, type Setter, type Told, UNSEEN } from './serial.ts'

const DEFAULT = 30
/** Everything of a round begins within so many milliseconds. */
const SPREAD_MS = 6
const AHEAD_MS = 60_000

/** Does a plan all at once, and throws when no order of its parts explains what came of it. */
export async function runRound(arena: Arena, plan: Plan, chance: () => number): Promise<void> {
  const name = randomUUID().slice(0, 13)
  const { body } = await arena.admin(`workspaces/${name}`, { name })
  const key = (body as { partner_api_key: string }).partner_api_key
  const send = async (side: number, method: 'POST' | 'PATCH' | 'DELETE', path: string, sent?: object): Promise<Answer> => {
    const answer = await arena.partner(side, key, method, path, sent)
    if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  const setDays = async (days?: number) => {
    const answer = await arena.admin(`applications/${name}`, { workspace_id: name, limit_period: days })
    if (answer.status !== 200) throw new Error(`the application is not set: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const subscribe = async (side = 0) => {
    const answer = await send(side, 'POST', 'insights/subscriptions/', { events: EVENTS, callback_url: 'http://127.0.0.1:9/' })
    return (answer.body as { subscription_id: string }).subscription_id
  }
  const eventsOf = (tasks: ReadonlyMap<string, number>, aheadMs = 0) =>
    [...tasks].flatMap(([user_id, count]) =>
      Array.from({ length: count }, () => ({
        id: randomUUID(),
        app_key: name,
        user_id,
        function_name: 'demo-do',
        occurred_at: new Date(Date.now() + aheadMs).toISOString(),
      })),
    )

  await setDays()
  await send(0, 'PATCH', 'accounts/me/', { tasks_limit: DEFAULT })
  const always = await subscribe()
  const leaving = plan.unsubscribes ? await subscribe() : undefined
  await arena.ingest(0, randomUUID(), eventsOf(plan.before))

  let side = 0
  let late: string | undefined
  const soon = async (act: (side: number) => Promise<unknown>) => {
    const chosen = side++
    await sleep(chance() * SPREAD_MS)
    await act(chosen)
  }
  const set = async (setter: Setter, chosen: number) => {
    switch (setter.kind) {
      case 'own': {
        const limits = [...setter.limits].map(([user_id, allowed_tasks]) => ({ user_id, allowed_tasks }))
        return await send(chosen, 'POST', `insights/users/tasks/?app_key=${name}`, limits)
      }
      case 'bulk':
        return await send(chosen, 'POST', 'insights/users/tasks-bulk/', { tasks_limit: setter.limit })
      case 'default':
        return await send(chosen, 'PATCH', 'accounts/me/', { tasks_limit: setter.limit })
    }
  }
  await Promise.all([
    ...plan.jobs.flatMap(({ tasks, twice }) => {
      const job = { id: randomUUID(), events: eventsOf(tasks, plan.days === undefined ? 0 : AHEAD_MS) }
      const bring = async (chosen: number) => await arena.ingest(chosen, job.id, job.events)
      return twice ? [soon(bring), soon(bring)] : [soon(bring)]
    }),
    ...plan.setters.map((setter) => soon((chosen) => set(setter, chosen))),
    ...(plan.subscribes
      ? [
          soon(async (chosen) => {
            late = await subscribe(chosen)
          }),
        ]
      : []),
    ...(plan.days === undefined ? [] : [soon(() => setDays(plan.days))]),
    ...(leaving === undefined ? [] : [soon((chosen) => send(chosen, 'DELETE', `insights/subscriptions/${leaving}/`))]),
  ])
  await quiet(arena, name)
  await checkWindows(arena, name)

  const list = await arena.partner(0, key, 'GET', `insights/users/tasks/?app_key=${name}`)
  const statuses = list.body as { user_id: string; current_limit: number; tasks_consumed: number }[]
  const rows = await arena.query('select subscription_id, user_id, level, body from delivery where app_key = $1', [name])
  const toldTo = (subscription: string | undefined, user: string): Told[] =>
    rows.flatMap((row) => {
      if (row.subscription_id !== subscription || row.user_id !== user) return []
      const { tasks_consumed: consumed, current_limit: limit } = JSON.parse(row.body as string)
      return [{ level: row.level as number, consumed, limit }]
    })
  const seen = USERS.map((user): Seen => {
    const before = plan.before.get(user)
    const status = statuses.find((each) => each.user_id === user)
    const first = before === undefined ? { state: UNSEEN, told: [] } : afterTasks(UNSEEN, before, DEFAULT)
    return {
      user,
      start: first.state,
      jobs: plan.jobs.flatMap(({ tasks }) => tasks.get(user) ?? []),
      limit: status?.current_limit,
      consumed: status?.tasks_consumed ?? 0,
      told: toldTo(always, user),
      late: late === undefined ? undefined : toldTo(late, user),
      left: leaving === undefined ? undefined : toldTo(leaving, user),
    }
  })
  if (explain(plan.setters, DEFAULT, seen) === undefined) {
    const setters = plan.setters.map((each) => (each.kind === 'own' ? { ...each, limits: [...each.limits] } : each))
    throw new Error(`no order explains a round: ${JSON.stringify({ setters, seen })}`)
  }
}

/** Waits until no change is on its way to users any more. */
async function quiet(arena: Arena, partnerId: string): Promise<void> {
  for (;;) {
    await arena.background()
    const left = await arena.query('select from reevaluation where partner_id = $1', [partnerId])
    if (left.length === 0) return
    await sleep(5)
  }
}
