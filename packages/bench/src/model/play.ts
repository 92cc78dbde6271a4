import { randomUUID } from 'node:crypto'
import type { Answer } from './ask.ts'
import { consume, provision, setAll, setLimits } from './change.ts'
import { type Command, STEPS_A_DAY } from './commands.ts'
import { compareNotices, compareStatuses } from './compare.ts'
import { crashAtRow } from './crash-triggers.ts'
import { makeTasks } from './make-tasks.ts'
import type { World } from './open-world.ts'
import { passTime } from './pass-time.ts'
import { DAY, newModel, type Task } from './rules.ts'

const STEP = DAY / STEPS_A_DAY
/** The model's clock stands this much after a step: between the minutes that tasks are given. The real one must stay there too. */
const AFTER_STEP = 30_000
const LONGEST_MS = 100_000

/** Does the same to area B and to the model. Throws when they differ, after a `look` or at the end. */
export async function play(world: World, commands: readonly Command[]): Promise<void> {
  const run = await openRun(world)
  for (const command of commands) await run.step(command)
  await run.end()
}

async function openRun(world: World) {
  const name = randomUUID().slice(0, 13)
  const applications = [`${name}-a`, `${name}-b`]
  const model = newModel(AFTER_STEP)
  await world.query(crashAtRow(0))
  const [clock] = await world.query('select floor(extract(epoch from clock_timestamp()) * 1000)::float8 - 1000 as now')
  const start = clock?.now as number
  const { body } = await world.admin(`workspaces/${name}`, { name })
  const key = (body as { partner_api_key: string }).partner_api_key
  const jobs: { id: string; tasks: Task[] }[] = []
  const tasks: Task[] = []
  const ids: string[] = []
  const passed = () => model.now - AFTER_STEP

  const real = (at: number) => new Date(start + at - passed()).toISOString()
  const virtual = (at: Date) => at.getTime() - start + passed()
  const application = (n: number) => applications[n] ?? ''
  const run = { world, model, name, key, applications, ids, virtual }

  /** Tries again what broke off, as a caller does. */
  async function insist<T>(attempt: () => Promise<T>, broken: (result: T) => boolean = () => false): Promise<T> {
    for (let left = 3; ; left--) {
      try {
        const result = await attempt()
        if (!broken(result) || left === 0) return result
      } catch (err) {
        if (left === 0) throw err
      }
    }
  }
  async function send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sent?: object): Promise<Answer> {
    const attempt = () => (method === 'PUT' ? world.admin(path, sent ?? {}) : world.partner(key, method, path, sent))
    const answer = await insist(attempt, ({ status }) => status >= 500)
    if (answer.status !== 200) throw new Error(`${method} ${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer
  }
  async function deliver(job: { id: string; tasks: Task[] }): Promise<void> {
    const events = job.tasks.map(({ id, application: app_key, user: user_id, at }) => ({
      id,
      app_key,
      user_id,
      function_name: 'demo-do',
      occurred_at: real(at),
    }))
    await insist(() => world.ingest(job.id, events))
    consume(model, job.tasks)
  }
  const background = async () => await insist(world.background)

  async function act(command: Command): Promise<void> {
    switch (command.kind) {
      case 'consume': {
        const job = { id: randomUUID(), tasks: makeTasks(command.tasks, tasks, passed(), STEP, application) }
        jobs.push(job)
        if (!command.late) await deliver(job)
        return
      }
      case 'deliver': {
        const job = jobs[command.job % Math.max(1, jobs.length)]
        if (job !== undefined) await deliver(command.reversed ? { ...job, tasks: job.tasks.toReversed() } : job)
        return
      }
      case 'limits': {
        const named = application(command.application)
        if (model.applications.find((each) => each.name === named)?.owned !== true) return
        const limits = command.limits.map(({ user, limit }) => ({ user: `user-${user}`, limit }))
        await send(
          'POST',
          `insights/users/tasks/?app_key=${named}`,
          limits.map(({ user, limit }) => ({ user_id: user, allowed_tasks: limit })),
        )
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
        if (command.worked) await background()
        await world.query(crashAtRow(0))
        await world.query(passTime(applications, command.steps * STEP))
        model.now += command.steps * STEP
        return
      case 'subscribe': {
        const made = { events: command.levels.map((level) => `user_tasks_limit_${level}`), callback_url: 'http://127.0.0.1:9/' }
        const answer = await send('POST', 'insights/subscriptions/', made)
        ids.push((answer.body as { subscription_id: string }).subscription_id)
        model.subscriptions.push({ events: command.levels, live: true })
        return
      }
      case 'unsubscribe': {
        await background()
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
        return await background()
      case 'look':
        return await compareStatuses(run)
    }
  }

  return {
    async step(command: Command): Promise<void> {
      if (command.crashAt > 0) await world.query(crashAtRow(command.crashAt))
      await act(command)
      if (command.crashAt > 0) await world.query(crashAtRow(0))
    },
    async end(): Promise<void> {
      await background()
      await compareStatuses(run)
      await compareNotices(run)
      const [late] = await world.query('select extract(epoch from clock_timestamp())::float8 * 1000 as now')
      if ((late?.now as number) - start > LONGEST_MS) throw new Error('the run took too long for its clock: the machine is overloaded')
    },
  }
}
