import pg from 'pg'

const PAGE = 20_000

/** Copies A's log, and the ids that were answered 200, into tables beside B's events, where they can be compared by SQL. */
export async function copyCalls(functionsDb: string, insightsDb: string, answered: readonly string[]): Promise<void> {
  const [from, to] = [new pg.Client(functionsDb), new pg.Client(insightsDb)]
  await Promise.all([from.connect(), to.connect()])
  try {
    await to.query(`
      drop table if exists faults_logged, faults_answered;
      create table faults_logged (id uuid primary key, user_id text collate "C" not null, outcome text not null, occurred_at timestamptz not null);
      create table faults_answered (id uuid not null)`)
    for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
      const { rows } = await from.query<Row>(
        'select call_id, user_id, outcome, occurred_at::text from call_log where call_id > $1 order by call_id limit $2',
        [last, PAGE],
      )
      const columns = [rows.map((row) => row.call_id), rows.map((row) => row.user_id), rows.map((row) => row.outcome)]
      await to.query('insert into faults_logged select * from unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])', [
        ...columns,
        rows.map((row) => row.occurred_at),
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

type Row = { call_id: string; user_id: string; outcome: string; occurred_at: string }
