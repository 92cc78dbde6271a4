import { sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

type Hour = { hour: string; tasks: number; xor: string }

let stage: Stage
/** The tasks of both services by hour, and the content of the outbox. */
let logged: Hour[]
let counted: Hour[]
let pending: { open_calls: number; outbox_oldest_at: string | null }
/** Called when tasks are sent again. */
let resent: (since: string) => void
/** Called when the outbox is read, which uses a time span of one millisecond. */
let looked: () => void

const hour = (text: string, tasks: number, xor: string): Hour => ({ hour: `2026-03-${text}:00:00.000Z`, tasks, xor: xor.padStart(32, '0') })

beforeEach(async () => {
  stage = await openStage()
  logged = [hour('09T10', 5, 'a1'), hour('10T08', 3, 'b1')]
  counted = [...logged]
  pending = { open_calls: 0, outbox_oldest_at: null }
  resent = () => {}
  looked = () => {}
  const within = (hours: Hour[], url: string) => {
    const query = new URL(url, 'http://admin').searchParams
    return hours.filter((each) => each.hour >= String(query.get('since')) && each.hour < String(query.get('until')))
  }
  stage.functions.answer(({ url, body }, response) => {
    if (!url.includes('resend')) {
      if (url.includes('.001Z')) looked()
      return sendJson(response, 200, { hours: within(logged, url), ...pending })
    }
    const { since, _cursor } = JSON.parse(body)
    resent(since)
    sendJson(response, 200, { tasks: 4, sent_at: '2026-03-10T12:00:01.000Z', _cursor: _cursor === null ? 'more' : null })
  })
  stage.insights.answer(({ url }, response) => sendJson(response, 200, { hours: within(counted, url) }))
})

afterEach(() => stage.close())

const paths = () => stage.requests().map((request) => (request as string[]).slice(0, 3).join(' '))
const resends = () => stage.functions.received.filter(({ url }) => url.includes('resend')).map(({ body }) => JSON.parse(body))

describe('reconcile', () => {
  it('compares the full hours of two days, one day per request', async () => {
    const { code, out, err } = await stage.run(['reconcile'])
    expect(out.split('\n')).toEqual([
      'HOUR                      FUNCTIONS  INSIGHTS  SAME  SENT_AGAIN',
      '2026-03-09T10:00:00.000Z  5          5         yes   no',
      '2026-03-10T08:00:00.000Z  3          3         yes   no',
      '',
    ])
    expect([code, err]).toEqual([0, ''])
    const spans = ['2026-03-08T12:00:00.000Z', '2026-03-09T12:00:00.000Z', '2026-03-10T11:00:00.000Z'].map(encodeURIComponent)
    expect(paths()).toEqual([
      `functions GET /admin/calls/hours?since=${spans[0]}&until=${spans[1]}`,
      `functions GET /admin/calls/hours?since=${spans[1]}&until=${spans[2]}`,
      `insights GET /admin/events/hours?since=${spans[0]}&until=${spans[1]}`,
      `insights GET /admin/events/hours?since=${spans[1]}&until=${spans[2]}`,
    ])
  })

  it('sends a whole differing hour again and compares once more', async () => {
    counted = [hour('09T10', 4, 'a0'), hour('10T08', 3, 'b1')]
    resent = () => {
      counted = [...logged]
    }
    const { code, out, err } = await stage.run(['reconcile'])
    const span = { since: '2026-03-09T10:00:00.000Z', until: '2026-03-09T11:00:00.000Z' }
    expect(resends()).toEqual([
      { ...span, _cursor: null },
      { ...span, _cursor: 'more' },
    ])
    expect(out).toContain('2026-03-09T10:00:00.000Z  5          5         yes   yes\n')
    expect([code, err]).toEqual([0, '8 tasks of 1 hour were sent again\n'])
  })

  it('fails when a difference remains: other ids, or an hour that functions does not have', async () => {
    counted = [hour('09T10', 5, 'ff'), hour('10T08', 3, 'b1'), hour('10T09', 1, 'c')]
    const { code, out, err } = await stage.run(['reconcile'])
    expect(out).toContain('2026-03-09T10:00:00.000Z  5          5         no    yes\n')
    expect(out).toContain('2026-03-10T09:00:00.000Z  0          1         no    yes\n')
    expect(code).toBe(1)
    expect(err).toBe('16 tasks of 2 hours were sent again\nerror: 2 hours differ\n')
  })

  it('sends nothing in a dry run', async () => {
    counted = []
    const { code, err } = await stage.run(['reconcile', '--dry-run', '--since', '2026-03-10T00:00Z'])
    expect([code, err, resends()]).toEqual([1, 'error: 1 hour differs\n', []])
  })

  it('waits for tasks in the outbox before it sends anything again', async () => {
    counted = [hour('10T08', 3, 'b1')]
    pending = { open_calls: 0, outbox_oldest_at: '2026-03-10T10:59:59.000Z' }
    let looks = 0
    looked = () => {
      looks += 1
      if (looks < 2) return
      counted = [...logged]
      pending = { open_calls: 0, outbox_oldest_at: '2026-03-10T11:30:00.000Z' }
    }
    expect(await stage.run(['reconcile'])).toMatchObject({ code: 0, err: '' })
    expect([looks, resends()]).toEqual([2, []])
  })

  it('prints how many calls are still running', async () => {
    pending = { open_calls: 2, outbox_oldest_at: null }
    expect((await stage.run(['reconcile'])).err).toBe(
      '2 calls from before 2026-03-10T11:00:00.000Z are still running and were not compared\n',
    )
  })

  it('requires at least one full hour', async () => {
    expect((await stage.run(['reconcile', '--since', '30m'])).code).toBe(2)
    expect(stage.requests()).toEqual([])
  })
})
