import { readdir, readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { AppFile } from '@onward/catalog'
import { accountRow, CALL_LOG } from '@onward/functions'
import { EVENT_PARTITIONS } from '@onward/insights'
import { firstUuidAt, openSealer, type PartitionedTable, partitionAt, readSealingKeys } from '@onward/runtime'
import { areaEnv } from '@onward/testbed'
import { parse } from 'yaml'
import type { Rig } from '../rig/open-rig.ts'
import { queryPostgres } from '../rig/postgres-server.ts'
import { APP_KEY } from '../rig/workspace.ts'
import { userId } from './users.ts'

const APPS = 'packages/catalog/apps'
const DAY_MS = 86_400_000
/** The services compare the tasks of the last two days, and would publish tasks that only one of them has. */
const NEWEST_DAYS = 3
/** The services drop calls after 90 days, and task events after 35, unless they are configured otherwise. */
const CALLS_DAYS = 88
const EVENTS_DAYS = 33
const PAGE = 500_000
const ACCOUNTS_PAGE = 10_000
/** For building the indexes of a partition. */
const SLOW_MS = 1_800_000

/** Imports copies of the built-in apps under other names, with at least `count` functions in all. Call it before the services start. */
export async function insertFunctions(rig: Rig, count: number): Promise<void> {
  const names = (await readdir(APPS)).filter((name) => name.endsWith('.yaml'))
  const builtIn = await Promise.all(names.map(async (name) => parse(await readFile(join(APPS, name), 'utf8')) as AppFile))
  const files: AppFile[] = []
  for (let [n, functions] = [0, 0]; functions < count; n++) {
    const app = builtIn[n % builtIn.length]
    if (app === undefined) throw new Error(`${APPS} holds no apps`)
    const copy = 1 + Math.floor(n / builtIn.length)
    files.push({ ...app, name: `${app.name}-${copy}`, title: `${app.title} ${copy}` })
    functions += Object.keys(app.functions).length
  }
  await queryPostgres(
    rig.functionsDb,
    `insert into imported_app (name, version, file) select file::jsonb ->> 'name', md5(file), file from unnest($1::text[]) as app (file)`,
    [files.map((file) => JSON.stringify(file))],
  )
}

/** Inserts an account of an app, each with another bearer token, for the users 1 to `count`. Their application must exist. */
export async function insertAccounts({ functionsDb }: Rig, app: string, count: number): Promise<void> {
  const { SEALING_KEYS = '' } = areaEnv({ databaseUrl: '', queueUrl: '', queuePrefix: '' })
  const sealer = openSealer(readSealingKeys(SEALING_KEYS))
  for (let at = 1; at <= count; at += ACCOUNTS_PAGE) {
    const ids = Array.from({ length: Math.min(ACCOUNTS_PAGE, count - at + 1) }, (_, n) => at + n)
    await queryPostgres(
      functionsDb,
      `insert into connected_account (app_key, user_id, app, display_name, id, sealed_credentials)
       select $1, user_id, $2, 'Ada', id, sealed from unnest($3::bigint[], $4::text[], $5::bytea[]) as account (id, user_id, sealed)`,
      [
        APP_KEY,
        app,
        ids,
        ids.map(userId),
        ids.map((id) => sealer.seal(JSON.stringify({ token: `token-of-${userId(id)}` }), accountRow(id))),
      ],
    )
  }
  await queryPostgres(functionsDb, `select setval(pg_get_serial_sequence('connected_account', 'id'), $1)`, [count + 1])
}

/** Fills the calls log with calls of these users in the last three months, at the same intervals. Call it before the services start. */
export async function insertCalls({ functionsDb }: Rig, rows: number, users: number): Promise<void> {
  await fill(functionsDb, { plan: CALL_LOG, days: CALLS_DAYS, rows }, (made) => ({
    text: `insert into ${made.partition} (call_id, app_key, user_id, function_name, function_version, app, connected_account_id, outcome,
        network_code, occurred_at, duration_ms)
      select id, $5, user_id, 'notes-create-note', '0123456789ab', 'notes', user_number, 'answered', 200, occurred_at, n % 1000
      from (${made.rows}) made`,
    values: [APP_KEY, users],
  }))
  await queryPostgres(functionsDb, 'vacuum analyze', [], SLOW_MS)
}

/** Fills the last month with task events of these users. Call it before the services start. */
export async function insertEvents({ insightsDb }: Rig, rows: number, users: number): Promise<void> {
  await fill(insightsDb, { plan: EVENT_PARTITIONS, days: EVENTS_DAYS, rows }, (made) => ({
    text: `insert into ${made.partition} (id, app_key, user_id, function_name, occurred_at)
      select id, $5, user_id, 'notes-create-note', occurred_at from (${made.rows}) made`,
    values: [APP_KEY, users],
  }))
}

/** Inserts the usage of ten days of each user that insights knows. */
export async function insertDays({ insightsDb }: Rig): Promise<void> {
  await queryPostgres(
    insightsDb,
    `insert into usage_day (app_key, user_id, day, consumed)
     select app_key, user_id, current_date - day, 1 + day from usage_user, generate_series(${NEWEST_DAYS}, ${NEWEST_DAYS + 9}) day`,
    [],
    SLOW_MS,
  )
  await queryPostgres(insightsDb, 'vacuum analyze', [], SLOW_MS)
}

/** `rows` selects the rows of a page, with the parameters $1 to $4; $6 is the number of users. */
type Made = { readonly partition: string; readonly rows: string }

/** Creates the partitions of these days, fills each with its part of the rows, and builds its indexes when it is full. */
async function fill(
  url: string,
  { plan, days, rows }: { readonly plan: PartitionedTable; readonly days: number; readonly rows: number },
  statementOf: (made: Made) => { readonly text: string; readonly values: readonly unknown[] },
): Promise<void> {
  const [first, end] = [Date.now() - days * DAY_MS, Date.now() - NEWEST_DAYS * DAY_MS]
  const stepMs = (end - first) / rows
  for (let n = 0; ; n++) {
    const { name, from, to } = partitionAt(plan, new Date(first), n)
    if (+from >= end) return
    const numberAt = (at: Date) => Math.min(rows, Math.max(0, Math.ceil((+at - first) / stepMs)))
    await queryPostgres(url, `create table ${name} (like ${plan.table} including defaults including constraints)`)
    const pages: (readonly [number, number])[] = []
    for (let at = numberAt(from); at < numberAt(to); at += PAGE) pages.push([at, Math.min(at + PAGE, numberAt(to)) - 1])
    const insertPages = async () => {
      for (let page = pages.shift(); page !== undefined; page = pages.shift()) {
        const { text, values } = statementOf({ partition: name, rows: ROWS })
        await queryPostgres(url, text, [first, stepMs, ...page, ...values])
      }
    }
    await Promise.all(cpus().map(insertPages))
    // Creates the indexes of the table.
    await queryPostgres(
      url,
      `set maintenance_work_mem = '1GB';
       alter table ${plan.table} attach partition ${name} for values from ('${firstUuidAt(from)}') to ('${firstUuidAt(to)}')`,
      undefined,
      SLOW_MS,
    )
  }
}

/** Row n belongs to another user than the rows before it. */
const ROWS = `
  select n, at as occurred_at, user_number, 'user-' || lpad(user_number::text, 7, '0') || '@example.com' as user_id,
    (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(digits, 1, 3) || '8' || substr(digits, 4, 15))::uuid as id
  from generate_series($3::bigint, $4::bigint) n,
    lateral (select to_timestamp(($1::float8 + n * $2::float8) / 1000) as at, 1 + n * 7919 % $6::bigint as user_number, md5(n::text) as digits) each`
