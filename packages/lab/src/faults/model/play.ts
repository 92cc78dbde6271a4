import { randomUUID } from 'node:crypto'
import { type AreaB, type AreaResponse, assertOk, retry } from '../area-b.ts'
import { consume, provision, setAll, setLimits } from './changes.ts'
import { type Command, makeTasks, STEP } from './commands.ts'
import { compareDeliveries, compareStatuses } from './compare.ts'
import { newModel, type Task } from './model.ts'

/**
 * The model's clock is this many milliseconds after a step. Tasks occur exactly at a step, or at least three minutes before or after it. So
 * the real clock may differ from the model's, as long as it is at most `MAX_RUN_MS` after the step.
 */
const AFTER_STEP = 30_000
const MAX_RUN_MS = 100_000

const WRITTEN = ['application', 'delivery', 'limit_change', 'subscription', 'task_event', 'usage_period', 'usage_user', 'workspace']

/**
 * Break the connection that writes the n-th row from now on, in the middle of its transaction. The countdown is a sequence, because a rollback
 * does not reset it. So the next attempt succeeds.
 */
export const CRASH_TRIGGERS = [
  'create sequence countdown minvalue -1000 start 1',
  `create function break_off() returns trigger language plpgsql as $$
  begin
    if nextval('countdown') = 0 then perform pg_terminate_backend(pg_backend_pid()); end if;
    return coalesce(new, old);
  end $$`,
  ...WRITTEN.map(
    (table) => `create trigger break_off before insert or update or delete on ${table} for each row execute function break_off()`,
  ),
]

/** Applies the same commands to area B and to the model. Throws when they differ, after a `compare` or at the end. */
export async function play(areaB: AreaB, commands: readonly Command[]): Promise<void> {
  const run = await openRun(areaB)
  for (const command of commands) await run.step(command)
  await run.end()
}

async function openRun(areaB: AreaB) {
  const name = randomUUID().slice(0, 13)
  const applications = [`${name}-a`, `${name}-b`]
  const model = newModel(AFTER_STEP)
  await areaB.query(crashAtRow(0))
  const start = (await databaseNow(areaB)) - 1_000
  const { body } = await areaB.admin(`workspaces/${name}`, { name })
  const key = (body as { partner_api_key: string }).partner_api_key
  const jobs: { id: string; tasks: Task[] }[] = []
  const tasks: Task[] = []
  const ids: string[] = []
  const passed = () => model.now - AFTER_STEP
  const toReal = (at: number) => new Date(start + at - passed()).toISOString()
  const toModel = (at: Date) => at.getTime() - start + passed()
  const application = (n: number) => applications[n] ?? ''
  const run = { areaB, model, key, applications, ids, toModel }

  async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: object): Promise<AreaResponse> {
    const attempt = () => (method === 'PUT' ? areaB.admin(path, sent ?? {}) : areaB.api(0, key, method, path, sent))
    return assertOk(`${method} ${path}`, await retry(attempt, ({ status }) => status >= 500))
  }
  async function ingest(job: { id: string; tasks: Task[] }): Promise<void> {
    const events = job.tasks.map(({ id, application: app_key, user: user_id, at }) => {
      return { id, app_key, user_id, function_name: 'demo-do', occurred_at: toReal(at) }
    })
    await retry(() => areaB.ingest(0, job.id, events))
    consume(model, job.tasks)
  }
  const applyChanges = async () => await retry(areaB.applyChanges)

  async function act(command: Command): Promise<void> {
    switch (command.kind) {
      case 'consume': {
        const job = { id: randomUUID(), tasks: makeTasks(command.tasks, tasks, passed(), application) }
        jobs.push(job)
        if (!command.late) await ingest(job)
        return
      }
      case 'deliver': {
        const job = jobs[command.job % Math.max(1, jobs.length)]
        if (job !== undefined) await ingest(command.reversed ? { ...job, tasks: job.tasks.toReversed() } : job)
        return
      }
      case 'limits': {
        const named = application(command.application)
        if (model.applications.find((each) => each.name === named)?.owned !== true) return
        const limits = command.limits.map(({ user, limit }) => ({ user: `user-${user}`, limit }))
        const sent = limits.map(({ user, limit }) => ({ user_id: user, allowed_tasks: limit }))
        await send('POST', `insights/users/tasks/?app_key=${named}`, sent)
        return setLimits(model, named, limits)
      }
      case 'bulk':
        await send('POST', 'insights/users/tasks-bulk/', { tasks_limit: command.limit })
        return setAll(model, command.limit)
      case 'default':
        await send('PATCH', 'accounts/me/', { tasks_limit: command.limit })
        model.defaultLimit = command.limit
        return
      case 'pass':
        if (command.worked) await applyChanges()
        await areaB.query(crashAtRow(0))
        await areaB.query(moveIntoPast(applications, command.steps * STEP))
        model.now += command.steps * STEP
        return
      case 'subscribe': {
        const sent = { events: command.levels.map((level) => `user_tasks_limit_${level}`), callback_url: 'http://127.0.0.1:9/' }
        const response = await send('POST', 'insights/subscriptions/', sent)
        ids.push((response.body as { subscription_id: string }).subscription_id)
        model.subscriptions.push({ levels: command.levels, live: true })
        return
      }
      case 'unsubscribe': {
        await applyChanges()
        const place = command.subscription % Math.max(1, ids.length)
        const subscription = model.subscriptions[place]
        if (subscription?.live !== true) return
        await send('DELETE', `insights/subscriptions/${ids[place]}/`)
        subscription.live = false
        return
      }
      case 'provision': {
        const days = command.days ?? undefined
        await send('PUT', `applications/${application(command.application)}`, { workspace_id: name, limit_period: days })
        return provision(model, application(command.application), days)
      }
      case 'background':
        return await applyChanges()
      case 'compare':
        return await compareStatuses(run)
    }
  }

  return {
    async step(command: Command): Promise<void> {
      if (command.crashAt > 0) await areaB.query(crashAtRow(command.crashAt))
      await act(command)
      if (command.crashAt > 0) await areaB.query(crashAtRow(0))
    },
    async end(): Promise<void> {
      await applyChanges()
      await compareStatuses(run)
      await compareDeliveries(run)
      if ((await databaseNow(areaB)) - start > MAX_RUN_MS) throw new Error('the run took too long for its clock: the machine is overloaded')
    },
  }
}

async function databaseNow(areaB: AreaB): Promise<number> {
  const [clock] = await areaB.query('select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now')
  return Number(clock?.now)
}

/** Returns the statement that breaks the connection writing the n-th row from now on; 0 means none. */
function crashAtRow(n: number): string {
  return `select setval('countdown', ${n === 0 ? 1 : -n})`
}

/**
 * Returns the statements that let time pass, by moving all rows into the past. Postgres checks a unique key after each row, so a moved period
 * could meet the one before it. Therefore all periods first move about 1,000 years into the future, and from there to their new time.
 */
function moveIntoPast(applications: readonly string[], ms: number): string {
  const mine = `app_key in (${applications.map((each) => `'${each}'`).join(', ')})`
  const move = (by: string) => [
    `update usage_period set starts_at = starts_at ${by}, ends_at = ends_at ${by} where ${mine}`,
    `update delivery set period_start = period_start ${by} where ${mine}`,
  ]
  const back = `- interval '${ms} milliseconds'`
  return [
    'begin',
    `update usage_user set anchor = anchor ${back} where ${mine}`,
    `update task_event set occurred_at = occurred_at ${back} where ${mine}`,
    `update application set limit_periods = (
      select jsonb_agg(case when each->>'from' is null then each
        else jsonb_set(each, '{from}', to_jsonb((each->>'from')::timestamptz ${back})) end order by place)
      from jsonb_array_elements(limit_periods) with ordinality as list (each, place)) where ${mine}`,
    `update limit_change set created_at = created_at ${back}
      where workspace_id in (select workspace_id from application where ${mine})`,
    ...move("+ interval '365000 days'"),
    ...move(`- interval '365000 days' ${back}`),
    'commit',
  ].join('; ')
}
