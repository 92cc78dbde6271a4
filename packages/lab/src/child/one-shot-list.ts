import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { measureOnRequest } from './measures.ts'

const QUERY = `
  select u.user_id, u.task_limit, date_part('epoch', p.ends_at) * 1000 as ends_at,
    date_part('epoch', p.ends_at - p.starts_at) / 86400 as days, p.consumed, date_part('epoch', now()) * 1000 as now
  from usage_user u join usage_period p on p.app_key = u.app_key and p.user_id = u.user_id and p.starts_at <= now() and p.ends_at > now()
  where u.app_key = $1 order by u.user_id`

type Row = { user_id: string; task_limit: string; ends_at: number; days: number; consumed: string; now: number }

/**
 * The baseline for the streamed list: all users in one query, one array and one response. It does less than the service, because all users
 * of this benchmark have their own period and limit.
 */
export async function serveWholeList({ databaseUrl }: { readonly databaseUrl: string }): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const server = createServer(async (request, response) => {
    const appKey = new URL(request.url ?? '', 'http://localhost').searchParams.get('app_key')
    const { rows } = await pool.query<Row>(QUERY, [appKey])
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(rows.map(statusOf)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  measureOnRequest()
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

function statusOf(row: Row) {
  const [limit, consumed] = [Number(row.task_limit), Number(row.consumed)]
  const remaining = Math.max(0, limit - consumed)
  return {
    user_id: row.user_id,
    current_limit: limit,
    limit_period: String(row.days),
    tasks_consumed: consumed,
    tasks_remaining: remaining,
    limit_reset_after: Math.ceil((row.ends_at - row.now) / 86_400_000),
    tasks_consumed_percent: Math.floor((consumed * 10_000) / limit) / 100,
    tasks_remaining_percent: Math.floor((remaining * 10_000) / limit) / 100,
  }
}
