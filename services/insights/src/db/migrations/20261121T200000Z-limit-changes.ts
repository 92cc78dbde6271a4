import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}

const STATEMENTS = [
  // From now on a limit of all users is written to each of them when they are looked at: `task_limit` is the newest that they were under.
  `update usage_user u set task_limit = p.bulk_limit, limit_seq = p.bulk_seq
    from application a join partner p on p.id = a.partner_id
    where a.app_key = u.app_key and p.bulk_seq > u.limit_seq`,
  'alter table reevaluation add column task_limit bigint, add column limit_seq bigint',
  // What is under way becomes a change after all others: its users are looked at under the limit that they have.
  'update partner set limit_seq = limit_seq + 1 where id in (select partner_id from reevaluation)',
  'update reevaluation r set limit_seq = p.limit_seq from partner p where p.id = r.partner_id',
  'alter table reevaluation alter column limit_seq set not null',
  'create index reevaluation_partner on reevaluation (partner_id)',
]
