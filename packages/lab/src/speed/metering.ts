import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from '../rig/command-line.ts'
import { cpuMs } from '../rig/cpu.ts'
import { spread } from '../rig/goals.ts'
import type { Rig } from '../rig/open-rig.ts'
import { fillOutbox } from '../rig/outbox.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { makeTask, openTaskQueue } from '../rig/task-queue.ts'
import { APP_KEY, createWorkspace } from '../rig/workspace.ts'
import { countTasks, pidOf, untilCounted } from './call-variants.ts'

type Plan = { readonly tasks: number; readonly rounds: number }

/** Tasks per second: from the outbox of functions, from the queue, and into a bare table. CPU times are in µs of each task. */
type Round = { readonly all: number; readonly alone: number; readonly copy: number; readonly cpu: { insights: number; postgres: number } }

const IN_JOB = 500

export const metering: Command = {
  summary: 'tasks counted per second: from the outbox, and from the queue, compared with COPY of the same rows',
  options: { tasks: 200_000, rounds: 4, users: 1_000 },
  async run({ say, withRig, report }, given) {
    const plan = { tasks: given.number('tasks'), rounds: given.number('rounds') }
    await withRig({ functions: 1, insights: 1, links: false, built: true, realDisks: true }, async (rig) => {
      await rig.start()
      await createWorkspace(rig)
      const users = Array.from({ length: given.number('users') }, (_, n) => `user-${n}@example.com`)
      const rounds = await measureMetering(rig, users, plan)
      const of = (value: (round: Round) => number) => rounds.map(value)
      const [insights, postgres] = [of(({ cpu }) => cpu.insights), of(({ cpu }) => cpu.postgres)]
      say(`COPY ${spread(of(({ copy }) => copy))} rows per second`)
      say(`CPU of a task that is counted from the queue: insights ${spread(insights, 'µs')}, Postgres ${spread(postgres, 'µs')}`)
      report([
        { name: 'P5', what: 'tasks per second from the outbox', values: of(({ all }) => all), unit: '', atLeast: 20_000 },
        { name: 'P5', what: 'tasks per second from the queue', values: of(({ alone }) => alone), unit: '', atLeast: 50_000 },
        { name: 'P5', what: 'the same, divided by COPY', values: of(({ alone, copy }) => alone / copy), unit: '', atLeast: 0.25 },
      ])
    })
  },
}

/** The rig must run, and have a workspace. The first round warms up, and is not returned. */
export async function measureMetering(rig: Rig, users: readonly string[], { tasks, rounds }: Plan): Promise<Round[]> {
  const found: Round[] = []
  while (found.length <= rounds) {
    const all = await countFromOutbox(rig, users, tasks)
    const { perSecond: alone, cpu } = await countFromQueue(rig, users, tasks)
    found.push({ all, alone, cpu, copy: await copyEvents(rig, tasks) })
  }
  return found.slice(1)
}

async function countFromOutbox(rig: Rig, ids: readonly string[], tasks: number): Promise<number> {
  const before = await countTasks(rig)
  await fillOutbox(rig.functionsDb, ids, tasks)
  const from = performance.now()
  await untilCounted(rig, before + tasks)
  return (1_000 * tasks) / (performance.now() - from)
}

/** Insights is stopped while the queue is filled. */
async function countFromQueue(rig: Rig, ids: readonly string[], tasks: number) {
  const before = await countTasks(rig)
  const queue = await openTaskQueue(rig.queueUrl)
  for (const service of rig.insights) service.signal('SIGSTOP')
  for (let done = 0; done < tasks; done += IN_JOB) {
    const count = Math.min(IN_JOB, tasks - done)
    await queue.add(Array.from({ length: count }, (_, n) => makeTask(ids[(done + n) % ids.length] ?? '', new Date())))
  }
  const pids = { insights: rig.insights.map(pidOf), postgres: [rig.insightsPostgres.pid()] }
  const usOf = async (of: readonly number[]) => (1_000 * (await cpuMs(of))) / tasks
  const [insights, postgres] = [await usOf(pids.insights), await usOf(pids.postgres)]
  const from = performance.now()
  for (const service of rig.insights) service.signal('SIGCONT')
  await untilCounted(rig, before + tasks)
  const perSecond = (1_000 * tasks) / (performance.now() - from)
  const cpu = { insights: (await usOf(pids.insights)) - insights, postgres: (await usOf(pids.postgres)) - postgres }
  await queue.close()
  return { perSecond, cpu }
}

/** Copies as many task events into an empty table with the same primary key, and returns how many rows per second that were. */
async function copyEvents({ insightsDb, insightsPostgres }: Rig, tasks: number): Promise<number> {
  // Only a superuser may copy to and from a file of the server.
  const url = new URL(insightsPostgres.url)
  url.pathname = new URL(insightsDb).pathname
  const query = (statement: string) => queryPostgres(url.href, statement)
  const file = join(insightsPostgres.folder, 'data', 'events.copy')
  await query(`copy (select * from task_event where app_key = '${APP_KEY}' limit ${tasks}) to '${file}'`)
  await query('create table copied (like task_event, primary key (id))')
  const from = performance.now()
  await query(`copy copied from '${file}'`)
  const perSecond = (1_000 * tasks) / (performance.now() - from)
  await query('drop table copied')
  await rm(file)
  return perSecond
}
