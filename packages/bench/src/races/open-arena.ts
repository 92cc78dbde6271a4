import { openContext, openIngest, readConfig, reevaluate, startInsights, TIMING } from '@onward/insights'
import { openPool } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openSuite } from '@onward/testbed'
import { type Answer, ask } from '../model/ask.ts'

/** Both processes look for background work often enough to meet it in a round. */
const BUSY = { ...TIMING, recheckEveryMs: 30 }
const NOBODY_CALLED = [
  `create function deliver_at_birth() returns trigger language plpgsql as $$
  begin
    new.delivered_at := now();
    return new;
  end $$`,
  'create trigger deliver_at_birth before insert on delivery for each row execute function deliver_at_birth()',
]

type Method = Parameters<typeof ask>[0]

/** Area B twice, on one database. `side` says which of the two is asked. */
export type Arena = {
  query(statement: string, values: readonly unknown[]): Promise<Record<string, unknown>[]>
  partner(side: number, key: string, method: Method, path: string, body?: object): Promise<Answer>
  admin(path: string, body: object): Promise<Answer>
  ingest(side: number, jobId: string, events: readonly object[]): Promise<void>
  background(): Promise<void>
  close(): Promise<void>
}

export async function openArena(): Promise<Arena> {
  const suite = await openSuite('insights')
  const pool = openPool(suite.databaseUrl, { max: 2 })
  for (const statement of NOBODY_CALLED) await pool.query(statement)
  const config = readConfig({ ...areaEnv(suite), CHECK_ANSWERS: 'true' })
  const services = [await startInsights(config, BUSY), await startInsights(config, BUSY)]
  const contexts = [await openContext(config, BUSY), await openContext(config, BUSY)]
  // Jobs of one lane may share a transaction, those of two may not.
  const lanes = contexts.flatMap((ctx) => [openIngest(ctx), openIngest(ctx)])
  const one = <T>(sides: readonly T[], side: number) => sides[side % sides.length] as T
  return {
    query: async (statement, values) => (await pool.query(statement, [...values])).rows,
    partner: (side, key, method, path, body) => ask(method, `${one(services, side).url}/partners/api/${path}`, { 'api-key': key }, body),
    admin: (path, body) => ask('PUT', `${one(services, 0).internalUrl}/admin/${path}`, { authorization: `Bearer ${ADMIN_TOKEN}` }, body),
    ingest: (side, jobId, events) => one(lanes, side)(jobId, { events }),
    background: () => reevaluate(one(contexts, 0), new AbortController().signal),
    async close() {
      await Promise.all([...contexts, ...services].map((each) => each.close()))
      await pool.end()
      await suite.close()
    },
  }
}
