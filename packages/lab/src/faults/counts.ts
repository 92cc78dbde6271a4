import pg from 'pg'
import type { Rig } from '../rig/open-rig.ts'
import { countRows, queryPostgres } from '../rig/postgres-server.ts'

/** One line of the check: what it looked for, what it found, and whether that is right. */
export type Finding = { readonly what: string; readonly found: number | string; readonly holds: boolean }

/** Returns a finding that holds if nothing was found. */
export function none(what: string, found: number): Finding {
  return { what, found, holds: found === 0 }
}

/** Returns a finding that holds in any case. */
export function allowed(what: string, found: number): Finding {
  return { what: `${what} (allowed)`, found, holds: true }
}

/** Returns for example `3 × 503 unavailable, 1 × ECONNRESET`. */
export function countsText(counts: ReadonlyMap<unknown, number>): string {
  return [...counts].map(([what, n]) => `${n} × ${what}`).join(', ') || 'none'
}

const PAGE = 20_000
const HOUR = "date_trunc('hour', occurred_at)"
const FINGERPRINT = "count(*) || bit_xor(('x' || left(md5(id::text), 16))::bit(64))::text"
const PERIOD_START = `anchor + floor(extract(epoch from greatest(occurred_at, least(anchor, occurred_at + interval '5 minutes')) - anchor) / 2592000)
  * interval '30 days'`

/** Each query returns the rows that break a rule. */
const RULES: readonly (readonly [what: string, sql: string])[] = [
  ['ids that were answered twice', 'select 1 from faults_answered group by id having count(*) > 1'],
  [
    'answered 200, but not in the log as answered',
    "select 1 from faults_answered a left join faults_logged l using (id) where l.outcome is distinct from 'answered'",
  ],
  [
    'logged, not counted',
    "select 1 from faults_logged l where outcome <> 'unreachable' and not exists (select from task_event e where e.id = l.id)",
  ],
  [
    'counted, not logged',
    "select 1 from task_event e left join faults_logged l using (id) where l.id is null or l.outcome = 'unreachable'",
  ],
  ['counted twice', 'select 1 from task_event group by id having count(*) > 1'],
  [
    'counted at another time or for another user',
    `select 1 from task_event e join faults_logged l using (id)
      where l.user_id <> e.user_id or date_trunc('milliseconds', l.occurred_at) <> e.occurred_at`,
  ],
  [
    'users whose usage differs from the log',
    `select 1 from (select user_id, count(*) as n from faults_logged where outcome <> 'unreachable' group by user_id) l
      full join (select user_id, sum(consumed) as n from usage_period group by user_id) p using (user_id) where l.n is distinct from p.n`,
  ],
  [
    'periods whose usage differs from the task events',
    `select 1 from (
        select user_id, ${PERIOD_START} as starts_at, count(*) as n from task_event join usage_user using (app_key, user_id) group by 1, 2) e
      full join usage_period p using (user_id, starts_at) where e.n is distinct from p.consumed`,
  ],
  [
    'hours in which count or xor of the ids differ',
    `select 1 from (select ${HOUR} as hour, ${FINGERPRINT} as f from faults_logged where outcome <> 'unreachable' group by 1) l
      full join (select ${HOUR} as hour, ${FINGERPRINT} as f from task_event group by 1) e using (hour) where l.f is distinct from e.f`,
  ],
  ['in quarantine', 'select 1 from quarantine'],
]

/** Copies the calls log and the answered ids beside the task events, and compares them by SQL. */
export async function checkCounts({ functionsDb, insightsDb }: Rig, answered: readonly string[]): Promise<Finding[]> {
  await copyCalls(functionsDb, insightsDb, answered)
  const findings: Finding[] = []
  for (const [what, sql] of RULES) {
    findings.push(none(what, await countRows(insightsDb, `(${sql}) broken`)))
  }
  return findings
}

/** Calls `checkCounts` and `assertFindings`. */
export async function assertCounts(rig: Rig, answered: readonly string[], say: (line: string) => void): Promise<void> {
  assertFindings(await checkCounts(rig, answered), say)
}

/** Prints the findings. Throws when something that must hold does not. */
export function assertFindings(findings: readonly Finding[], say: (line: string) => void): void {
  for (const { what, found, holds } of findings) say(`${holds ? 'ok  ' : 'FAIL'} ${what}: ${found}`)
  const broken = findings.filter(({ holds }) => !holds)
  if (broken.length > 0) throw new Error(`does not hold: ${broken.map(({ what }) => what).join('; ')}`)
}

/**
 * Records each event that a process of area B tries to store, in the same transaction. An event that was proposed and not stored is a
 * duplicate that the unique key rejected. A counter in a process would be lost when that process is killed.
 */
export async function recordProposals(insightsDb: string): Promise<void> {
  await queryPostgres(
    insightsDb,
    `create table faults_proposed (id uuid not null, name text default current_setting('application_name'), at timestamptz default clock_timestamp());
    create index on faults_proposed (name, at);
    create function faults_propose() returns trigger language plpgsql as $$
      begin insert into faults_proposed values (new.id); return new; end $$;
    create trigger faults_propose before insert on task_event for each row execute function faults_propose()`,
  )
}

/** Returns the names of the processes of area B that have stored events since a time. */
export async function readCounters(insightsDb: string, since: string): Promise<string[]> {
  const rows = await queryPostgres<{ name: string }>(
    insightsDb,
    `with recursive each(name) as (
      select min(name) from faults_proposed
      union all select (select min(name) from faults_proposed where name > each.name) from each where each.name is not null)
    select name from each where exists (select from faults_proposed p where p.name = each.name and at > $1)`,
    [since],
  )
  return rows.map(({ name }) => name)
}

/** For the control: without the unique key, area B counts a duplicate twice. */
export async function dropUniqueKey(insightsDb: string): Promise<void> {
  await queryPostgres(insightsDb, 'alter table task_event drop constraint task_event_pkey; create index on task_event (id)')
}

async function copyCalls(functionsDb: string, insightsDb: string, answered: readonly string[]): Promise<void> {
  const open = (connectionString: string) => new pg.Client({ connectionString, statement_timeout: 120_000 })
  const [from, to] = [open(functionsDb), open(insightsDb)]
  await Promise.all([from.connect(), to.connect()])
  try {
    await to.query(`
      drop table if exists faults_logged, faults_answered;
      create table faults_logged (id uuid primary key, user_id text collate "C" not null, outcome text not null, occurred_at timestamptz not null);
      create table faults_answered (id uuid not null)`)
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const { rows } = await from.query<{ call_id: string; user_id: string; outcome: string; occurred_at: string }>(
        'select call_id, user_id, outcome, occurred_at::text from call_log where call_id > $1 order by call_id limit $2',
        [last, PAGE],
      )
      await to.query('insert into faults_logged select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])', [
        ...[rows.map((row) => row.call_id), rows.map((row) => row.user_id)],
        ...[rows.map((row) => row.outcome), rows.map((row) => row.occurred_at)],
      ])
      if (rows.length < PAGE) break
      last = rows.at(-1)?.call_id ?? last
    }
    for (let at = 0; at < answered.length; at += PAGE) {
      await to.query('insert into faults_answered select * from unnest($1::uuid[])', [answered.slice(at, at + PAGE)])
    }
    await to.query('analyze faults_logged, faults_answered')
  } finally {
    await Promise.all([from.end(), to.end()])
  }
}
