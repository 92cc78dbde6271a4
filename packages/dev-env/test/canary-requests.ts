import { eventually } from '@onward/testbed'
import pg from 'pg'

export type Message = { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | object }
export type ReceivedResponse = { readonly status: number; readonly text: string; readonly headers: Headers }

/** Sends a request, with the method POST by default, and an object as JSON. Follows no redirects. */
export async function send(url: string, { method = 'POST', headers = {}, body }: Message = {}): Promise<ReceivedResponse> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: typeof body === 'object' ? JSON.stringify(body) : body,
    redirect: 'manual',
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

/** Sends a request until its response is not 503, or 503 is expected. Throws when the response has another status than expected. */
export async function sendUntilReady(url: string, message: Message, expected: readonly number[]): Promise<ReceivedResponse> {
  const failure = ({ status, text }: ReceivedResponse) => new Error(`${url} answered ${status} ${text}`)
  // On a busy machine, a service may be unavailable for a moment.
  const response = await eventually(async () => {
    const current = await send(url, message)
    if (current.status === 503 && !expected.includes(503)) throw failure(current)
    return current
  })
  if (!expected.includes(response.status)) throw failure(response)
  return response
}

/** Calls `work` for all items, twenty at a time. */
export async function forAll<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (let i = 0; i < items.length; i += 20) await Promise.all(items.slice(i, i + 20).map(work))
}

/** Renames tables while `work` runs, so that requests fail with an error that is logged in full. */
export async function withoutTables(databaseUrl: string, tables: readonly string[], work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  for (const table of tables) await client.query(`alter table ${table} rename to moved_${table}`)
  await work()
  for (const table of tables) await client.query(`alter table moved_${table} rename to ${table}`)
  await client.end()
}
