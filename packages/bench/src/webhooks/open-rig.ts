import { TASK_QUEUE } from '@onward/contract'
import type { Timing } from '@onward/insights'
import { openDatabase, openLog, openQueues, type Queue } from '@onward/runtime'
import { areaEnv, openSuite } from '@onward/testbed'
import type { Kysely } from 'kysely'
import { type Forked, forkChild } from './fork-child.ts'

export type Insights = Forked<{ url: string; internalUrl: string }>

export type Rig = {
  readonly db: Kysely<never>
  /** Says, when it is ready, at which origins they listen. */
  readonly receivers: Forked<string[]>
  readonly tasks: Queue<unknown>
  startInsights(): Promise<Insights>
  killInsights(insights: Insights): Promise<void>
  close(): Promise<void>
}

type Options = { readonly ports: number; readonly failing: number; readonly seed: number; readonly timing: Timing }

/** A database, a queue and receivers for insights, which `startInsights` starts in processes of their own. */
export async function openRig({ timing, ...receiving }: Options): Promise<Rig> {
  const suite = await openSuite('insights')
  const queues = await openQueues(suite.queueUrl, suite.queuePrefix, openLog('bench', 'silent'))
  const db = openDatabase<never>(suite.databaseUrl, 2)
  const receivers = await forkChild<string[]>('packages/bench/src/receivers/main.ts', receiving)
  const running = new Set<Insights>()
  const env = { ...areaEnv(suite), LOG_LEVEL: 'error' }
  return {
    db,
    receivers,
    tasks: queues.queue<unknown>(TASK_QUEUE),
    async startInsights(): Promise<Insights> {
      const insights = await forkChild<Insights['ready']>('packages/bench/src/insights-process/main.ts', { env, timing })
      running.add(insights)
      return insights
    },
    async killInsights(insights: Insights): Promise<void> {
      running.delete(insights)
      await insights.kill()
    },
    async close(): Promise<void> {
      await Promise.all([receivers, ...running].map((each) => each.kill()))
      await queues.close()
      await db.destroy()
      await suite.close()
    },
  }
}
