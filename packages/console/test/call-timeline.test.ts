import { type TimelineCall, type TimelineTask, timelineOf } from '../src/parts/call-timeline.ts'

const CALL: TimelineCall = {
  outcome: 'answered',
  network_code: 200,
  started_at: '2026-11-23T08:15:30.100Z',
  duration_ms: 38,
  connected_account_id: 17,
}
const COUNTED: TimelineTask = { counted: true, occurred_at: '2026-11-23T08:15:30.100Z', quarantined: null }

function states(call: Partial<TimelineCall>, task: TimelineTask) {
  return Object.fromEntries(timelineOf({ ...CALL, ...call }, task, undefined).map(({ id, state }) => [id, state]))
}

describe('the timeline of a call', () => {
  it('has the times that are stored, and makes up no others', () => {
    const items = timelineOf(CALL, COUNTED, { id: 17, name: 'Ada' }, [{ event_name: 'user_tasks_limit_80', at: '2026-11-23T08:15:31Z' }])
    expect(items.map(({ id, at, tookMs }) => [id, at, tookMs])).toEqual([
      ['checked', null, null],
      ['sent', '2026-11-23T08:15:30.100Z', null],
      ['ended', '2026-11-23T08:15:30.138Z', 38],
      ['recorded', '2026-11-23T08:15:30.138Z', null],
      ['counted', '2026-11-23T08:15:30.100Z', null],
      ['notice-user_tasks_limit_80', '2026-11-23T08:15:31Z', null],
    ])
    expect(items[0]?.note).toBe('Connected account: Ada')
  })

  it.each([
    [200, 'done', undefined],
    [404, 'failed', 'user'],
    [401, 'failed', 'account'],
    [403, 'failed', 'account'],
    [500, 'failed', 'app'],
  ])('says whose turn it is after HTTP %i', (network_code, state, whose) => {
    expect(timelineOf({ ...CALL, network_code }, COUNTED, undefined).find(({ id }) => id === 'ended')).toMatchObject({ state, whose })
  })

  it.each([
    ['app_error', { sent: 'done', ended: 'failed', recorded: 'done' }],
    ['no_answer', { sent: 'done', ended: 'failed', recorded: 'done' }],
    ['unknown', { ended: 'unknown', recorded: 'unknown' }],
  ] as const)('shows where a call with the outcome %s stopped', (outcome, expected) => {
    expect(states({ outcome, network_code: null }, COUNTED)).toMatchObject(expected)
  })

  it('has what failed first, and then the other steps in their order', () => {
    const items = timelineOf({ ...CALL, network_code: 500 }, COUNTED, undefined)
    expect(items.map(({ id }) => id)).toEqual(['ended', 'checked', 'sent', 'recorded', 'counted'])
  })

  it('does not say that something was sent when the app was unreachable', () => {
    expect(states({ outcome: 'unreachable' }, COUNTED)).not.toHaveProperty('sent')
  })

  it.each([
    ['is counted', {}, COUNTED, 'done'],
    ['waits while insights is asked', {}, undefined, 'waiting'],
    ['waits until it is counted', {}, { counted: false, occurred_at: null, quarantined: null }, 'waiting'],
    ['is in quarantine', {}, { counted: false, occurred_at: null, quarantined: 'too old' }, 'failed'],
    ['is not a task when Onward made the call', { internal: true }, undefined, 'skipped'],
    ['is not a task when nothing was sent', { outcome: 'unreachable' }, undefined, 'skipped'],
  ] as const)('shows that the task %s', (_, call, task, expected) => {
    expect(states(call, task).counted).toBe(expected)
  })

  it('needs no account for a function without one', () => {
    const [checked] = timelineOf({ ...CALL, connected_account_id: null }, COUNTED, undefined)
    expect(checked?.note).toBe('No connected account needed')
  })
})
