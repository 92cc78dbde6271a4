import { RESEND_QUEUE, type ResendJob, resendJob, TASK_HOURS_QUEUE, type TaskConsumed, type TaskHour } from '@onward/contract'
import { compileCheck, openLog, openQueues, type Queue, type Queues } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { task } from './insights.ts'
import { useInsights } from './use-insights.ts'

const HOUR = 3_600_000
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const at = (hours: number) => new Date(thisHour + hours * HOUR)
const iso = (hours: number) => at(hours).toISOString()
const check = compileCheck(resendJob, 'strict')

type Part = NonNullable<ResendJob['run']>

const insights = useInsights()
let queues: Queues
let answers: Queue<unknown>
/** What insights asks functions for, and how functions answers it; null if it does not answer. */
let asked: Part[]
let response: ((part: Part) => { events: TaskConsumed[]; resent: number | null; open?: number }) | null

beforeAll(async () => {
  const { queueUrl, queuePrefix } = insights.config
  queues = await openQueues(queueUrl, queuePrefix, openLog('test', 'silent'))
  answers = queues.queue(TASK_HOURS_QUEUE)
  queues.worker<ResendJob>(
    RESEND_QUEUE,
    async ({ data }) => {
      expect(check(data)).toEqual([])
      if (data.run === undefined) return
      asked.push(data.run)
      if (response !== null) await reply(data.run)
    },
    1,
  )
})
afterAll(() => queues.close())
beforeEach(async () => {
  asked = []
  response = null
  await sql`truncate quarantine, task_event, dropped_event`.execute(insights.db)
})

async function reply(part: Part): Promise<void> {
  const { events = [], resent = null, open = 0 } = response?.(part) ?? {}
  const hours = new Map<string, TaskHour>()
  for (const { id, occurred_at } of events.filter((each) => each.occurred_at >= part.since && each.occurred_at < part.until)) {
    const hour = new Date(Math.floor(Date.parse(occurred_at) / HOUR) * HOUR).toISOString()
    const { tasks = 0, xor = '0' } = hours.get(hour) ?? {}
    const joined = BigInt(`0x${xor}`) ^ BigInt(`0x${id.replaceAll('-', '')}`)
    hours.set(hour, { hour, tasks: tasks + 1, xor: joined.toString(16).padStart(32, '0') })
  }
  const run = { id: part.id, resent_tasks: resent, open_calls: open }
  const data = { since: part.since, until: part.until, hours: [...hours.values()], resent: part.resend ? [part.since] : [], run }
  await answers.add({ data })
}

const start = (body: object) => insights.admin.post('/admin/reconcile').send(body)
const read = async () => (await insights.admin.get('/admin/reconcile').expect(200)).body.run
const ended = async (state: string) => {
  await eventually(async () => expect(await read()).toMatchObject({ state }))
  return await read()
}
const row = (hour: number, functions: number, insightsTasks: number, same: boolean, sent_again = false) => ({
  hour: iso(hour),
  functions,
  insights: insightsTasks,
  same,
  sent_again,
})

describe('POST /admin/reconcile', () => {
  it('compares a span day by day, and shows how far it is', async () => {
    const events = [task('a', 'u', at(-40)), task('a', 'u', at(-2)), task('a', 'u', at(-2))]
    await insights.consume(events.slice(0, 2))
    const { body } = await start({ since: iso(-48), until: iso(0), dry_run: true }).expect(200)
    expect(body).toMatchObject({ state: 'comparing', error: null, since: iso(-48), until: iso(0), dry_run: true, parts: 2, parts_done: 0 })
    await eventually(() => expect(asked).toHaveLength(2))
    expect(asked).toEqual([
      { id: body.id, since: iso(-48), until: iso(-24), resend: false },
      { id: body.id, since: iso(-24), until: iso(0), resend: false },
    ])
    response = () => ({ events, resent: null, open: 3 })
    // The same response twice, and one of another comparison, change nothing.
    for (const part of [asked[0], asked[0], { ...asked[1], id: 'other' }] as Part[]) await reply(part)
    await eventually(async () => expect(await answers.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 }))
    expect(await read()).toMatchObject({ state: 'comparing', parts_done: 1, hours: [row(-40, 1, 1, true)] })
    await reply(asked[1] as Part)
    const run = await ended('done')
    expect(run).toMatchObject({ parts_done: 2, open_calls: 3, tasks_sent: 0, hours: [row(-40, 1, 1, true), row(-2, 2, 1, false)] })
    expect(asked).toHaveLength(2)
  })

  it('sends the hours again that differ, one by one, and compares them after that', async () => {
    const events = [task('a', 'u', at(-3)), task('a', 'u', at(-2)), task('a', 'u', at(-2))]
    await insights.consume(events.slice(1, 2))
    response = ({ resend }) => ({ events, resent: resend ? 2 : null })
    const { body } = await start({ since: iso(-4), until: iso(-1) }).expect(200)
    const run = await ended('done')
    const part = { id: body.id, resend: true }
    expect(asked.slice(1)).toEqual([
      { ...part, since: iso(-3), until: iso(-2) },
      { ...part, since: iso(-2), until: iso(-1) },
    ])
    expect(run).toMatchObject({ parts: 2, parts_done: 2, tasks_sent: 4, hours: [row(-3, 1, 0, false, true), row(-2, 2, 1, false, true)] })
    await insights.consume(events)
    await start({ since: iso(-4), until: iso(-1) }).expect(200)
    expect(await ended('done')).toMatchObject({ tasks_sent: 0, hours: [row(-3, 1, 1, true), row(-2, 2, 2, true)] })
  })

  it('sends only the hours again that it names', async () => {
    const events = [task('a', 'u', at(-3)), task('a', 'u', at(-2))]
    response = ({ resend }) => ({ events, resent: resend ? 1 : null })
    await start({ since: iso(-4), until: iso(-1), hours: [iso(-2)] }).expect(200)
    expect(await ended('done')).toMatchObject({ hours: [row(-3, 1, 0, false), row(-2, 1, 0, false, true)] })
  })

  it('compares up to now, even if the span ends later', async () => {
    const before = Date.now()
    const { body } = await start({ since: iso(-1), until: iso(2), dry_run: true }).expect(200)
    const until = Date.parse(body.until) + 10_000
    expect([until >= before, until <= Date.now()]).toEqual([true, true])
  })

  it('compares from the hour of its start to a time within an hour, such as that of a backup', async () => {
    const time = (minutes: number) => new Date(+at(-1) + minutes * 60_000).toISOString()
    const { body } = await start({ since: time(-30), until: time(20), dry_run: true }).expect(200)
    expect([body.since, body.until]).toEqual([iso(-2), time(20)])
  })

  it.each([
    [{ since: iso(-4) }, 'until'],
    [{ since: iso(-4), until: iso(-4) }, 'until: must be after since'],
    [{ since: iso(2), until: iso(4) }, 'since: must be in the past'],
    [{ since: iso(-24 * 50), until: iso(-4) }, 'by 40 days at most'],
    [{ since: '2026-01-01T23:59:60Z', until: iso(-4) }, 'since: must be a valid date-time'],
  ])('refuses %j', async (body, problem) => {
    const answered = await start(body).expect(400)
    expect(answered.body.error_details.join()).toContain(problem)
  })
})

describe('a comparison that is running', () => {
  const span = { since: iso(-4), until: iso(-1) }

  it('can be stopped', async () => {
    await start(span).expect(200)
    const { body } = await insights.admin.delete('/admin/reconcile').expect(200)
    expect(body.run.state).toBe('stopped')
    const part = () => asked.find(({ id }) => id === body.run.id)
    await eventually(() => expect(part()).toBeDefined())
    response = () => ({ events: [], resent: null })
    await reply(part() as Part)
    await eventually(async () => expect(await answers.counts()).toEqual({ waiting: 0, delayed: 0, active: 0 }))
    expect(await read()).toMatchObject({ state: 'stopped', parts_done: 0 })
  })

  it('has failed when functions does not answer for three minutes', async () => {
    await start(span).expect(200)
    const ago = new Date(Date.now() - 181_000).toISOString()
    await sql`update reconciliation set run = jsonb_set(run, '{changedAt}', to_jsonb(${ago}::text))`.execute(insights.db)
    expect(await read()).toMatchObject({ state: 'failed', error: expect.stringContaining('functions did not answer') })
  })

  it('belongs to the last start', async () => {
    const first = (await start(span).expect(200)).body
    const second = (await start(span).expect(200)).body
    expect(second.id).not.toBe(first.id)
    expect((await read()).id).toBe(second.id)
  })
})
