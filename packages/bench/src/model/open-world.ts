import { openContext, openIngest, readConfig, reevaluate, startInsights, TIMING } from '@onward/insights'
import { openPool } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openSuite } from '@onward/testbed'
import { type Answer, ask } from './ask.ts'
import { CRASH_TRIGGERS } from './crash-triggers.ts'

/** The longest that a timer takes: background work is done when a run says so. */
const NEVER_MS = 2 ** 31 - 1
const TIMED = { ...TIMING, sweepEveryMs: NEVER_MS, recheckEveryMs: NEVER_MS }

type Method = Parameters<typeof ask>[0]

/** Area B with a database of its own, in which connections break when they are told to. */
export type World = {
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  partner(key: string, method: Method, path: string, body?: object): Promise<Answer>
  admin(path: string, body: object): Promise<Answer>
  /** Throws when the connection breaks; what it was given may be given again. */
  ingest(jobId: string, events: readonly object[]): Promise<void>
  /** Works off what is left to do in the background. Throws when the connection breaks. */
  background(): Promise<void>
  close(): Promise<void>
}

export async function openWorld(): Promise<World> {
  const suite = await openSuite('insights')
  const pool = openPool(suite.databaseUrl, { max: 2 })
  for (const statement of CRASH_TRIGGERS) await pool.query(statement)
  const config = readConfig({ ...areaEnv(suite), CHECK_ANSWERS: 'true' })
  const service = await startInsights(config, TIMED)
  const ctx = await openContext(config, TIMED)
  const ingest = openIngest(ctx)
  return {
    query: async (statement, values) => (await pool.query(statement, values && [...values])).rows,
    partner: (key, method, path, body) => ask(method, `${service.url}/partners/api/${path}`, { 'api-key': key }, body),
    admin: (path, body) => ask('PUT', `${service.internalUrl}/admin/${path}`, { authorization: `Bearer ${ADMIN_TOKEN}` }, body),
    ingest: (jobId, events) => ingest(jobId, { events }),
    background: () => reevaluate(ctx, new AbortController().signal),
    async close() {
      await ctx.close()
      await service.close()
      await pool.end()
      await suite.close()
    },
  }
}
