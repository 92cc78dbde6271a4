import { sendJson } from '@onward/testbed'
import { openStage, type Stage } from './stage.ts'

type Run = Record<string, unknown>

let stage: Stage
/** What insights answers to the start, and then to each request for the progress; the last one repeats. */
let answers: Run[]

const hour = (text: string, functions: number, insights: number, more: object = {}) => ({
  hour: `2026-03-${text}:00:00.000Z`,
  functions,
  insights,
  same: true,
  sent_again: false,
  ...more,
})
const HOURS = [hour('09T10', 5, 5), hour('10T08', 3, 3)]
const run = (more: object = {}): Run => ({
  id: 'run-1',
  state: 'done',
  error: null,
  started_at: '2026-03-10T12:00:00.000Z',
  since: '2026-03-08T12:00:00.000Z',
  until: '2026-03-10T11:00:00.000Z',
  dry_run: false,
  parts: 2,
  parts_done: 2,
  open_calls: 0,
  tasks_sent: 0,
  hours: HOURS,
  ...more,
})

beforeEach(async () => {
  stage = await openStage()
  answers = [run({ state: 'comparing', hours: [] }), run()]
  stage.insights.respond(({ method }, response) => {
    const next = (answers.length > 1 ? answers.shift() : answers[0]) as Run
    sendJson(response, 200, method === 'POST' ? next : { run: next })
  })
})

afterEach(() => stage.close())

const bodies = () => stage.insights.received.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))

describe('reconcile', () => {
  it('has insights compare two days up to now, and waits for the result', async () => {
    const { code, out, err } = await stage.run(['reconcile'])
    expect(out.split('\n')).toEqual([
      'HOUR                      FUNCTIONS  INSIGHTS  SAME  SENT_AGAIN',
      '2026-03-09T10:00:00.000Z  5          5         yes   no',
      '2026-03-10T08:00:00.000Z  3          3         yes   no',
      '',
    ])
    expect([code, err]).toEqual([0, ''])
    expect(bodies()).toEqual([{ since: '2026-03-08T12:00:00.000Z', until: '2026-03-10T12:00:00.000Z', dry_run: false }])
    expect(stage.functions.received).toEqual([])
  })

  it('compares a long span in parts of 40 days', async () => {
    const parts = [run({ tasks_sent: 1, hours: [hour('01T00', 1, 1, { sent_again: true })] }), run({ tasks_sent: 2, open_calls: 1 })]
    answers = parts
    const { out, err } = await stage.run(['reconcile', '--since', '2026-01-20T00:00Z', '--json'])
    expect(JSON.parse(out).hours).toHaveLength(3)
    expect(err).toContain('3 tasks of 1 hour were sent again\n1 calls from before')
    expect(bodies().map(({ since, until }) => [since, until])).toEqual([
      ['2026-01-20T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
      ['2026-03-01T00:00:00.000Z', '2026-03-10T12:00:00.000Z'],
    ])
  })

  it('prints what was sent again', async () => {
    answers = [run({ tasks_sent: 8, hours: [hour('09T10', 5, 5, { sent_again: true })] })]
    const { code, out, err } = await stage.run(['reconcile'])
    expect(out).toContain('2026-03-09T10:00:00.000Z  5          5         yes   yes\n')
    expect([code, err]).toEqual([0, '8 tasks of 1 hour were sent again\n'])
  })

  it('fails when a difference remains', async () => {
    const differs = { same: false, sent_again: true }
    answers = [run({ tasks_sent: 16, hours: [hour('09T10', 5, 5, differs), hour('10T09', 0, 1, differs)] })]
    const { code, out, err } = await stage.run(['reconcile'])
    expect(out).toContain('2026-03-10T09:00:00.000Z  0          1         no    yes\n')
    expect(code).toBe(1)
    expect(err).toBe('16 tasks of 2 hours were sent again\nerror: 2 hours differ\n')
  })

  it('only compares in a dry run', async () => {
    answers = [run({ hours: [hour('10T08', 3, 0, { same: false })] })]
    const { code, err } = await stage.run(['reconcile', '--dry-run', '--since', '2026-03-10T00:00Z'])
    expect([code, err]).toEqual([1, 'error: 1 hour differs\n'])
    expect(bodies()).toEqual([{ since: '2026-03-10T00:00:00.000Z', until: '2026-03-10T12:00:00.000Z', dry_run: true }])
  })

  it.each([
    [{ state: 'failed', error: 'functions did not answer' }, 'functions did not answer'],
    [{ state: 'stopped' }, 'the comparison was stopped'],
    [{ id: 'run-2' }, 'another comparison was started; it replaces this one'],
  ])('fails when the comparison does not reach its end: %j', async (end, message) => {
    answers = [run({ state: 'sending' }), run({ state: 'sending' }), run(end)]
    expect(await stage.run(['reconcile'])).toMatchObject({ code: 1, out: '', err: `error: ${message}\n` })
  })

  it('prints how many calls are still running', async () => {
    answers = [run({ open_calls: 2 })]
    expect((await stage.run(['reconcile'])).err).toBe(
      '2 calls from before 2026-03-10T11:00:00.000Z are still running and were not compared\n',
    )
  })

  it('requires that the span ends after its start', async () => {
    expect((await stage.run(['reconcile', '--since', '1h', '--until', '3h'])).code).toBe(2)
    expect(stage.requests()).toEqual([])
  })
})
