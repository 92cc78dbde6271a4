import { setTimeout as sleep } from 'node:timers/promises'
import { getUserTasks, setUserLimits } from '@onward/contract'
import { send } from '@onward/contract-client'
import { waitUntil } from '@onward/dev-env'
import type { Pool } from 'undici'
import { median } from '../numbers.ts'
import type { Command } from '../rig/command-line.ts'
import type { Rig } from '../rig/open-rig.ts'
import { APP_KEY, callFunction, createWorkspace, openPools, type User, type Workspace } from '../rig/workspace.ts'

/** `rate` is in calls per second of all callers together; 0 means as many as possible. */
type Load = { readonly callers: number; readonly rate: number }

const LOADS: readonly Load[] = [
  { callers: 1, rate: 20 },
  { callers: 1, rate: 0 },
  { callers: 4, rate: 100 },
  { callers: 8, rate: 0 },
  { callers: 32, rate: 0 },
]

const FIGURES = {
  beyond: 'calls executed beyond the limit',
  callMs: 'ms of an executed call, median',
  refusedAfterMs: 'ms from the used-up limit to the first 429',
  overAfterMs: 'ms from the used-up limit to the last 200',
  freeAfterMs: 'ms from a raised limit to the first 200',
}

type Overshoot = Readonly<Record<keyof typeof FIGURES, number>>

const GIVE_UP_MS = 10_000
/** After this many refusals in a row, a process is taken to know about the block. */
const ENOUGH = 10

export const enforcement: Command = {
  summary: 'calls executed beyond a limit that blocks, and the time until calls are refused and allowed again',
  options: { limit: 100, rounds: 10, processes: 2 },
  async run({ say, withRig }, given) {
    const [limit, rounds] = [given.number('limit'), given.number('rounds')]
    await withRig({ functions: given.number('processes'), insights: 1, links: false }, async (rig) => {
      await rig.start()
      const workspace = await createWorkspace(rig, { on_limit: 'block' })
      let users = 0
      const round = (load: Load) => measure(rig, workspace, `user-${++users}@example.com`, limit, load)
      await round({ callers: 8, rate: 0 })
      for (const load of LOADS) {
        const found: Overshoot[] = []
        while (found.length < rounds) found.push(await round(load))
        say(`${load.callers} callers, ${load.rate === 0 ? 'as many calls as possible' : `${load.rate} calls/s`}`)
        for (const [key, name] of Object.entries(FIGURES)) {
          const values = found.map((one) => one[key as keyof Overshoot])
          say(`  ${name.padEnd(44)} p50 ${median(values).toFixed(0)}, max ${Math.max(...values).toFixed(0)}`)
        }
      }
    })
  },
}

/** Makes calls for a new user, to all processes in turn, until all of them refuse. Then raises the limit. */
async function measure(rig: Rig, { target, connect }: Workspace, id: string, limit: number, { callers, rate }: Load): Promise<Overshoot> {
  const setLimit = (allowed_tasks: number) =>
    send(target, setUserLimits, { query: { app_key: APP_KEY }, body: [{ user_id: id, allowed_tasks }] })
  await setLimit(limit)
  const [user] = await connect([id])
  const pools = openPools(rig, callers)
  const answered: number[] = []
  const took: number[] = []
  const refused: number[] = []
  const inARow = pools.map(() => 0)
  const from = performance.now()
  let turn = 0

  async function caller(n: number): Promise<void> {
    for (let next = n; inARow.some((refusals) => refusals < ENOUGH); next++) {
      if (rate > 0) await sleep(Math.max(0, from + (turn++ * 1_000) / rate - performance.now()))
      const place = next % pools.length
      const began = performance.now()
      const executed = await isExecuted(pools[place], user)
      if (executed) took.push(performance.now() - began)
      const times = executed ? answered : refused
      times.push(performance.now())
      inARow[place] = executed ? 0 : (inARow[place] ?? 0) + 1
      const usedUpAt = answered[limit - 1]
      if (usedUpAt !== undefined && performance.now() - usedUpAt > GIVE_UP_MS) throw new Error(`no call was refused in ${GIVE_UP_MS} ms`)
    }
  }

  try {
    await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))
    const usedUpAt = answered[limit - 1] ?? Number.NaN
    if ((refused[0] ?? 0) < usedUpAt) throw new Error('a call was refused before the limit was used up')
    const counted = async () =>
      (await send(target, getUserTasks, { params: { id }, query: { app_key: APP_KEY } })).tasks_consumed === answered.length
    if (!(await waitUntil(counted, GIVE_UP_MS))) throw new Error(`${answered.length} calls were answered, but not all are counted`)
    await setLimit(answered.length + 1)
    const raisedAt = performance.now()
    if (!(await waitUntil(() => isExecuted(pools[0], user), GIVE_UP_MS, 0))) throw new Error('a raised limit did not end the block')
    return {
      callMs: median(took),
      beyond: answered.length - limit,
      refusedAfterMs: (refused[0] ?? Number.NaN) - usedUpAt,
      overAfterMs: (answered.at(-1) ?? Number.NaN) - usedUpAt,
      freeAfterMs: performance.now() - raisedAt,
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()))
  }
}

/** Returns whether a call is executed or refused. Throws for any other result. */
async function isExecuted(pool: Pool | undefined, user: User | undefined): Promise<boolean> {
  if (pool === undefined || user === undefined) throw new Error('a call needs a process and a user')
  const { status, text, retryAfter } = await callFunction(pool, user, GIVE_UP_MS)
  if (status !== 200 && status !== 429) throw new Error(`${status}: ${text}`)
  if (status === 429 && !/^\d+$/.test(retryAfter)) throw new Error('a 429 has no Retry-After')
  return status === 200
}
