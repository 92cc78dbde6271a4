import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { quantile } from '../partner/quantile.ts'
import { APP_KEY, type Rig, type User } from './open-rig.ts'

export type Overshoot = {
  /** The median of the calls that were executed, in ms: what the rest is to be compared with. */
  readonly callMs: number
  /** Calls that were executed beyond the limit. */
  readonly beyond: number
  /** From the answer that used up the limit to the first call that was refused after it, in ms. */
  readonly refusedAfterMs: number
  /** From there until no process answered any more. */
  readonly overAfterMs: number
  /** From the answer to a raised limit to the first call that was answered again. */
  readonly freeAfterMs: number
}

const GIVE_UP_MS = 10_000
/** So many refusals of each process in a row mean that it knows. */
const ENOUGH = 10

/** Lets callers, spread over the processes, call for a new user until all are refused; `rate` is in calls per second together, 0 for as many as can be. */
export async function measureOvershoot(
  rig: Rig,
  { limit, callers, rate }: { limit: number; callers: number; rate: number },
): Promise<Overshoot> {
  const user = await rig.addUser(limit)
  const pools = rig.urls.map((url) => new Pool(url, { connections: callers }))
  try {
    const answered: number[] = []
    const took: number[] = []
    const refused: number[] = []
    const inARow = pools.map(() => 0)
    const from = performance.now()
    let turn = 0
    const caller = async (n: number) => {
      while (inARow.some((refusals) => refusals < ENOUGH)) {
        if (rate > 0) await sleep(Math.max(0, from + (turn++ * 1_000) / rate - performance.now()))
        const place = n++ % pools.length
        const began = performance.now()
        const status = await call(pools[place] as Pool, user)
        if (status === 200) took.push(performance.now() - began)
        const times = status === 200 ? answered : refused
        times.push(performance.now())
        inARow[place] = status === 200 ? 0 : (inARow[place] ?? 0) + 1
        const usedUpAt = answered[limit - 1]
        if (usedUpAt !== undefined && performance.now() - usedUpAt > GIVE_UP_MS) throw new Error(`nobody was refused in ${GIVE_UP_MS} ms`)
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, n) => caller(n)))

    const usedUpAt = answered[limit - 1] ?? Number.NaN
    if ((refused[0] ?? 0) < usedUpAt) throw new Error('a call was refused before the limit was used up')
    await untilCounted(rig, user, answered.length)
    await rig.raiseLimit(user, answered.length + 1)
    const raisedAt = performance.now()
    while ((await call(pools[0] as Pool, user)) !== 200) if (performance.now() - raisedAt > GIVE_UP_MS) throw new Error('nobody was freed')
    return {
      callMs: quantile(took, 0.5),
      beyond: answered.length - limit,
      refusedAfterMs: (refused[0] ?? Number.NaN) - usedUpAt,
      overAfterMs: (answered.at(-1) ?? Number.NaN) - usedUpAt,
      freeAfterMs: performance.now() - raisedAt,
    }
  } finally {
    await Promise.all(pools.map((pool) => pool.destroy()))
  }
}

async function call(pool: Pool, { id, hash }: User): Promise<number> {
  const { statusCode, headers, body } = await pool.request({
    method: 'POST',
    path: '/functions/addressbook-get-contact/call',
    headers: { 'app-key': APP_KEY, 'user-id': id, hash, 'content-type': 'application/json' },
    body: '{"contact_id":1}',
    signal: AbortSignal.timeout(GIVE_UP_MS),
  })
  const text = await body.text()
  if (statusCode !== 200 && statusCode !== 429) throw new Error(`${statusCode}: ${text}`)
  if (statusCode === 429 && !/^\d+$/.test(String(headers['retry-after']))) throw new Error('a refusal does not say when to try again')
  return statusCode
}

async function untilCounted(rig: Rig, user: User, executed: number): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    const counted = await rig.counted(user)
    if (counted === executed) return
    if (performance.now() > deadline) throw new Error(`${executed} calls were answered, and ${counted} are counted`)
    await sleep(50)
  }
}
