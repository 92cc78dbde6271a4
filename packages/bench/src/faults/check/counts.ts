import { askPostgres } from '../ask-postgres.ts'
import type { Finding } from './finding.ts'

const HOUR = "date_trunc('hour', occurred_at)"
const FINGERPRINT = "count(*) || bit_xor(('x' || left(md5(id::text), 16))::bit(64))::text"

/** Each gives the number of rows that break the rule. */
const RULES: readonly (readonly [what: string, sql: string])[] = [
  ['ids that were answered twice', 'select 1 from faults_answered group by id having count(*) > 1'],
  [
    'answered 200, and not so in the log',
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
    "select 1 from task_event e join faults_logged l using (id) where l.user_id <> e.user_id or date_trunc('milliseconds', l.occurred_at) <> e.occurred_at",
  ],
  [
    'users whose usage is not what the log says',
    `select 1 from (select user_id, count(*) as n from faults_logged where outcome <> 'unreachable' group by user_id) l
      full join (select user_id, sum(consumed) as n from usage_period group by user_id) p using (user_id) where l.n is distinct from p.n`,
  ],
  [
    'windows that rebuilt from the events are not those that live',
    `select 1 from (
        select user_id, anchor + floor(extract(epoch from greatest(occurred_at, least(anchor, occurred_at + interval '5 minutes')) - anchor) / 2592000) * interval '30 days' as starts_at,
          count(*) as n from task_event join usage_user using (app_key, user_id) group by 1, 2) e
      full join usage_period p using (user_id, starts_at) where e.n is distinct from p.consumed`,
  ],
  [
    'hours in which count or xor of the ids differ',
    `select 1 from (select ${HOUR} as hour, ${FINGERPRINT} as f from faults_logged where outcome <> 'unreachable' group by 1) l
      full join (select ${HOUR} as hour, ${FINGERPRINT} as f from task_event group by 1) e using (hour) where l.f is distinct from e.f`,
  ],
  ['in quarantine', 'select 1 from quarantine'],
]

export async function checkCounts(insightsDb: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [what, sql] of RULES) {
    const [row] = await askPostgres<{ n: number }>(insightsDb, `select count(*)::int as n from (${sql}) broken`)
    findings.push({ what, found: row?.n ?? -1, holds: row?.n === 0 })
  }
  return findings
}
