import { readHours } from '@onward/contract'
import { sql } from 'kysely'
import { readEventHours } from '../src/db/task-events.ts'
import { task } from './insights.ts'
import { useInsights } from './use-insights.ts'

const insights = useInsights()
beforeEach(async () => {
  await sql`truncate quarantine, task_event`.execute(insights.db)
})

const HOUR = 3_600_000
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const at = (hours: number, ms = 0) => new Date(thisHour + hours * HOUR + ms)

const hours = async (since: Date, until: Date): Promise<unknown> =>
  await readHours(since, until, (from, to) => readEventHours(insights.db, from, to))

function xorOf(...ids: readonly (string | undefined)[]): string {
  return ids
    .reduce((xor, id) => xor ^ BigInt(`0x${String(id).replaceAll('-', '')}`), 0n)
    .toString(16)
    .padStart(32, '0')
}

describe('the known tasks per hour', () => {
  it('counts tasks per hour of occurrence, from since to before until', async () => {
    const events = [at(-3, -1), at(-3), at(-3, HOUR - 1), at(-2, 5), at(-1)].map((time) => task('a', 'u', time))
    await insights.consume(events)
    const [, first, second, third] = events.map(({ id }) => id)
    expect(await hours(at(-3), at(-1))).toEqual([
      { hour: at(-3).toISOString(), tasks: 2, xor: xorOf(first, second) },
      { hour: at(-2).toISOString(), tasks: 1, xor: xorOf(third) },
    ])
  })

  it('counts ids in quarantine once, also when they were counted later', async () => {
    const [good, bad] = [task('a', 'u', at(-2)), { ...task('a', 'u', at(-2)), user_id: '' }]
    await insights.consume([good, bad])
    await insights.consume([bad, { ...good, user_id: '' }, { occurred_at: at(-2).toISOString() }, { id: 'x' }])
    expect(await hours(at(-2), at(-1))).toEqual([{ hour: at(-2).toISOString(), tasks: 2, xor: xorOf(good.id, bad.id) }])
  })

  it('returns no hours before UUIDv7 ids existed', async () => {
    expect(await hours(new Date('1969-12-31T00:00:00Z'), new Date('1970-01-01T00:00:00Z'))).toEqual([])
  })

  it('reads only the partitions of the requested span', async () => {
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select * from task_event where id >= ${'00000000-0000-7000-8000-000000000000'}::uuid
        and id < ${'00000000-0001-7000-8000-000000000000'}::uuid`.execute(insights.db)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(/task_event_\d/)
  })
})
