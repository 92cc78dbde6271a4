import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { useLink } from './use-insights.ts'

const behind = useLink()
const { insights, workspace } = behind

async function countOpenTransactions(): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(insights.db)
  return rows[0]?.open ?? -1
}

/** Returns the number of stored events, and the number of counted tasks. */
async function storedAndCounted(): Promise<[number, number]> {
  const { rows } = await sql<{ stored: number; counted: number }>`select
    (select count(*)::int from task_event where app_key = ${workspace.appKey}) as stored,
    (select coalesce(sum(consumed), 0)::int from usage_period where app_key = ${workspace.appKey}) as counted`.execute(insights.db)
  return [rows[0]?.stored ?? -1, rows[0]?.counted ?? -1]
}

describe('a connection to Postgres that falls silent', () => {
  it('while task events are inserted, and delivers the rest later: each stored event is counted once, no transaction stays open', async () => {
    const silent = behind.link.hold(['insert into task_event'], 'request').held
    const counting = insights.consume(workspace.tasks('joe', 5), 60_000)
    await silent
    await eventually(async () => expect(await countOpenTransactions()).toBe(1))
    await counting
    behind.link.heal()
    for (let i = 0; i < 20; i++) await workspace.status('joe').expect(200)
    await insights.consume(workspace.tasks('joe', 3))
    await eventually(async () => expect(await countOpenTransactions()).toBe(0))
    expect(await storedAndCounted()).toEqual([8, 8])
    expect((await workspace.status('joe')).body.tasks_consumed).toBe(8)
  })
})
