import { applyLimitChanges, openContext, openIngest, readConfig, startInsights } from '@onward/insights'
import { openPool } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openSuite } from '@onward/testbed'
import { request } from 'undici'

export type AreaResponse = { readonly status: number; readonly body: unknown }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Area B in this process: instances of insights on one database. `instance` chooses one by its number; after the last, it starts over. */
export type AreaB = {
  query(statement: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
  /** Sends a request to the public API with the workspace's api-key. */
  api(instance: number, key: string, method: Method, path: string, body?: object): Promise<AreaResponse>
  admin(path: string, body: object): Promise<AreaResponse>
  /** Counts task events as the worker does. Throws when the connection breaks or a statement takes too long; the job can then be repeated. */
  ingest(instance: number, jobId: string, events: readonly object[]): Promise<void>
  /** Applies all pending limit changes. Throws when the connection breaks. */
  applyChanges(): Promise<void>
  close(): Promise<void>
}

/** Marks each delivery as delivered when it is inserted, so that no webhook is sent. */
const DELIVERED_AT_INSERT = `create function deliver_at_insert() returns trigger language plpgsql as $$
    begin new.delivered_at := now(); return new; end $$;
  create trigger deliver_at_insert before insert on delivery for each row execute function deliver_at_insert()`

/**
 * Opens `instances` instances of insights, and two functions for each that ingest jobs. Jobs of the same function may share a transaction,
 * jobs of different functions may not.
 */
export async function openAreaB(instances: number, settings: Record<string, string>, statements: readonly string[] = []): Promise<AreaB> {
  const suite = await openSuite('insights')
  const pool = openPool(suite.databaseUrl, { max: 2 })
  for (const statement of [DELIVERED_AT_INSERT, ...statements]) await pool.query(statement)
  const config = readConfig({ ...areaEnv(suite), ...settings, CHECK_RESPONSES: 'true' })
  const list = Array.from({ length: instances })
  const services = await Promise.all(list.map(() => startInsights(config)))
  const contexts = await Promise.all(list.map(() => openContext(config)))
  const ingests = contexts.flatMap((ctx) => [openIngest(ctx), openIngest(ctx)])
  return {
    query: async (statement, values) => (await pool.query(statement, values && [...values])).rows,
    api: (instance, key, method, path, body) =>
      ask(method, `${nth(services, instance).url}/partners/api/${path}`, { 'api-key': key }, body),
    admin: (path, body) => ask('PUT', `${nth(services, 0).internalUrl}/admin/${path}`, { authorization: `Bearer ${ADMIN_TOKEN}` }, body),
    ingest: (instance, jobId, events) => nth(ingests, instance)(jobId, { events }),
    applyChanges: () => applyLimitChanges(nth(contexts, 0), new AbortController().signal),
    async close() {
      await Promise.all([...contexts, ...services].map((opened) => opened.close()))
      await pool.end()
      await suite.close()
    },
  }
}

/** Returns the n-th item. After the last item, it begins again with the first. */
function nth<T>(list: readonly T[], n: number): T {
  const [chosen] = list.slice(n % list.length)
  if (chosen === undefined) throw new Error('the list is empty')
  return chosen
}

async function ask(method: Method, url: string, headers: Record<string, string>, body?: object): Promise<AreaResponse> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await request(url, { method, headers: { 'content-type': 'application/json', ...headers }, ...sent })
  return { status: response.statusCode, body: await response.body.json() }
}

/** Throws unless a response is 200. */
export function assertOk(what: string, response: AreaResponse): AreaResponse {
  if (response.status !== 200) throw new Error(`${what} answers ${response.status}: ${JSON.stringify(response.body)}`)
  return response
}

/** Calls `work` a number of times at once, and waits for all calls. Throws the first failure. */
export async function runConcurrently(count: number, work: () => Promise<void>): Promise<void> {
  const ended = await Promise.allSettled(Array.from({ length: count }, work))
  for (const each of ended) if (each.status === 'rejected') throw each.reason
}

const ATTEMPTS = 4

/** Repeats an attempt that fails, because its connection broke or a statement took too long, as a caller does. */
export async function retry<T>(attempt: () => Promise<T>, failed: (result: T) => boolean = () => false): Promise<T> {
  for (let nth = 1; ; nth++) {
    try {
      const result = await attempt()
      if (!failed(result) || nth === ATTEMPTS) return result
    } catch (err) {
      if (nth === ATTEMPTS) throw err
    }
  }
}
