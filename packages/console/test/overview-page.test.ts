import { itemsOfFunctions, itemsOfInsights } from '../src/pages/overview/attention-items.ts'
import { grouped, spanOf } from '../src/pages/overview/period.ts'
import { type Known, setupSteps } from '../src/pages/overview/setup-steps.ts'

const NOW = new Date('2026-11-23T12:30:00.000Z')

describe('the period of the overview', () => {
  it.each([
    ['24h', '2026-11-22T13:00:00.000Z', '2026-11-21T13:00:00.000Z', 'hour'],
    ['7d', '2026-11-16T13:00:00.000Z', '2026-11-09T13:00:00.000Z', 'hour'],
    ['30d', '2026-10-25T00:00:00.000Z', '2026-09-25T11:00:00.000Z', 'day'],
  ] as const)('%s ends with the running hour and follows one of the same length', (period, since, before, step) => {
    const span = spanOf(period, NOW, 'UTC')
    expect(span).toEqual({ since: new Date(since), until: new Date('2026-11-23T13:00:00.000Z'), before: new Date(before), step })
  })

  it('fits into a small chart', () => {
    expect(grouped([1, 2, 3])).toEqual([1, 2, 3])
    expect(grouped([1, 2, 3, 4, 5], 2)).toEqual([6, 9])
    expect(grouped([])).toEqual([])
  })
})

describe('the steps of the setup', () => {
  const NOTHING: Known = {
    applications: [],
    accounts: 0,
    newestCall: null,
    workspace: { default_limit: 10_000, bulk_limit: null },
    ownLimits: 0,
    subscriptions: 0,
    counted: undefined,
  }
  const ALL: Known = {
    applications: [{ app_key: 'ak' }],
    accounts: 1,
    newestCall: { id: 'c', app_key: 'ak' },
    workspace: NOTHING.workspace,
    ownLimits: 1,
    subscriptions: 1,
    counted: true,
  }
  const done = (known: Partial<Known>, of = NOTHING) => setupSteps({ ...of, ...known }).map((step) => step.done)

  it('are all open in a new workspace, and all done at the end', () => {
    expect(done({})).toEqual([false, false, false, false, false, false])
    expect(done({}, ALL)).toEqual([true, true, true, true, true, true])
  })

  it.each([
    ['a default limit', { workspace: { default_limit: 5, bulk_limit: null }, ownLimits: 0 }, true],
    ['a limit for all users', { workspace: { default_limit: 10_000, bulk_limit: 10_000 }, ownLimits: 0 }, true],
    ['no limit', { ownLimits: 0 }, false],
  ])('know %s', (_, known, expected) => expect(done(known, ALL)[3]).toBe(expected))

  it('do not say what could not be read', () => {
    const nothing = { applications: undefined, accounts: undefined, newestCall: undefined, workspace: undefined }
    expect(done({ ...nothing, ownLimits: undefined, subscriptions: undefined })).toEqual(Array.from({ length: 6 }, () => undefined))
  })

  it('lead to the newest call', () => {
    expect(setupSteps(ALL).at(-1)?.target).toEqual({ page: 'calls', search: { app_key: 'ak', call: 'c' } })
  })
})

describe('what needs attention', () => {
  it('is calls that wait for an approval, broken accounts and rejected functions', () => {
    const broken_accounts = [{ app: 'slack', status: 'reconnect_required', accounts: 1 } as const]
    expect(itemsOfFunctions({ broken_accounts, rejected_functions: 2, pending_approvals: 1 })).toMatchObject([
      { text: '1 call waits for approval', target: { page: 'approvals' } },
      {
        text: '1 account of slack must be reconnected',
        target: { page: 'accounts', search: { app: 'slack', status: 'reconnect_required' } },
      },
      { text: '2 functions are rejected', target: { page: 'catalog' } },
    ])
    expect(itemsOfFunctions({ broken_accounts: [], rejected_functions: 0, pending_approvals: 0 })).toEqual([])
  })

  it('is webhooks that fail or are disabled, and users at their limits', () => {
    const subscription = (subscription_id: string, failing_since: string | null, disabled_at: string | null) => ({
      subscription_id,
      callback_url: 'https://hooks.example.com/a?b',
      failing_since,
      disabled_at,
    })
    const subscriptions = [subscription('1', 'then', null), subscription('2', 'then', 'later')]
    expect(itemsOfInsights({ users_near: 1, users_over: 3, capped: false, subscriptions })).toMatchObject([
      { text: 'Webhook to hooks.example.com/a is failing', at: 'then', target: { page: 'webhooks', path: '1' } },
      { text: 'Webhook to hooks.example.com/a is disabled', at: 'later', target: { page: 'webhooks', path: '2' } },
      { text: '3 users have reached their limit', target: { search: { state: 'reached' } } },
      { text: '1 user has used 80% of the limit or more', target: { search: { state: 'near' } } },
    ])
    expect(itemsOfInsights({ users_near: 1, users_over: 0, capped: false, subscriptions: [] })).toHaveLength(1)
    expect(itemsOfInsights({ users_near: 0, users_over: 0, capped: false, subscriptions: [] })).toEqual([])
  })
})
