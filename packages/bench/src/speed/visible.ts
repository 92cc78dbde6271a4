import { setTimeout as sleep } from 'node:timers/promises'
import { getUserTasks, setUserLimits } from '@onward/contract'
import { send } from '@onward/contract-client'
import { waitUntil } from '@onward/dev-env'
import { median, quantile } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import { spread } from '../rig/goals.ts'
import { APP_KEY } from '../rig/workspace.ts'
import { type Onward, openOnward } from './call-variants.ts'
import { openConnection, putLoad } from './http-load.ts'

type Plan = { readonly rate: number; readonly rounds: number; readonly seconds: number; readonly connections: number }

/** `perSecond`: the calls of the load. `times`: from the answer to a call until its task is in the user's usage, in ms. */
type Round = { readonly perSecond: number; readonly times: readonly number[] }

/** So few users are watched that reading their usage costs little beside the load. */
const WATCHED = 2
const READ_EVERY_MS = 10
const PAUSE_MS = 50
const MAX_MS = 60_000

export const visible: Command = {
  summary: 'the time from the answer to a call until its task is in the usage of its user, under a steady load',
  options: { rate: 1_000, rounds: 5, seconds: 8, connections: 64, users: 1_000 },
  async run({ say, withRig, report }, given) {
    const plan = {
      ...{ rate: given.number('rate'), rounds: given.number('rounds'), seconds: given.number('seconds') },
      connections: given.number('connections'),
    }
    await withRig({ functions: 1, insights: 1, links: false, built: true, realDisks: true }, async (rig) => {
      const rounds = await measureVisible(await openOnward(rig, given.number('users')), plan)
      const p99 = rounds.map(({ times }) => quantile(times, 0.99))
      const reached = spread(rounds.map(({ perSecond }) => perSecond))
      say(
        `p50 ${spread(
          rounds.map(({ times }) => median(times)),
          'ms',
        )}, p99 ${spread(p99, 'ms')} at ${reached} calls per second`,
      )
      report([{ name: 'P6', what: `p99 until a task is visible, at ${reached} calls per second`, values: p99, unit: 'ms', atMost: 250 }])
    })
  },
}

/** The first users are watched, and the others make the load. The first round warms up, and is not returned. */
export async function measureVisible({ urls, requests, users, settle, workspace }: Onward, plan: Plan): Promise<Round[]> {
  const watched = users.slice(0, WATCHED)
  // A user without a limit and without tasks is unknown.
  const limits = watched.map((user_id) => ({ user_id, allowed_tasks: 1_000_000 }))
  await send(workspace.target, setUserLimits, { query: { app_key: APP_KEY }, body: limits })
  const watches = watched.map((id, n) => {
    const request = requests[n]
    if (request === undefined) throw new Error('each user has a request')
    const read = async () => (await send(workspace.target, getUserTasks, { params: { id }, query: { app_key: APP_KEY } })).tasks_consumed
    return (until: number) => watch(urls[n % urls.length] ?? '', request, read, until)
  })
  const rounds: Round[] = []
  while (rounds.length <= plan.rounds) {
    const until = performance.now() + 1_000 * plan.seconds
    const [{ perSecond }, ...times] = await Promise.all([
      putLoad(urls, requests.slice(WATCHED), plan),
      ...watches.map((each) => each(until)),
    ])
    await settle()
    rounds.push({ perSecond, times: times.flat() })
  }
  return rounds.slice(1)
}

/** Makes calls for one user until a time. Returns how long each took to become visible. */
async function watch(url: string, request: Buffer, read: () => Promise<number>, until: number): Promise<number[]> {
  const connection = await openConnection(url)
  const times: number[] = []
  let made = await read()
  while (performance.now() < until) {
    await connection.send(request)
    made++
    const from = performance.now()
    if (!(await waitUntil(async () => (await read()) >= made, MAX_MS, READ_EVERY_MS))) throw new Error('a task was not counted in time')
    times.push(performance.now() - from)
    await sleep(PAUSE_MS)
  }
  connection.close()
  return times
}
