import { defineAddress, isUnfiltered, periodOf, printPeriod } from '../src/list/address.ts'

const address = defineAddress({
  user: { kind: 'text', label: 'User' },
  outcome: { kind: 'enum', label: 'Outcome', values: ['answered', 'unknown'] },
  since: { kind: 'time', label: 'Since' },
  period: { kind: 'period', label: 'Period', default: '24h' },
  status: { kind: 'number', label: 'Status' },
  internal: { kind: 'flag', label: 'Internal' },
})
const NOTHING = { user: undefined, outcome: undefined, since: undefined, period: '24h', status: undefined, internal: false }

describe('an address of filters', () => {
  it.each([
    [{}, {}],
    [{ user: ' joe@example.com ' }, { user: 'joe@example.com' }],
    [{ outcome: 'unknown' }, { outcome: 'unknown' }],
    [{ outcome: 'gone' }, {}],
    [{ since: '2026-11-23T08:00:00Z' }, { since: '2026-11-23T08:00:00.000Z' }],
    [{ since: 'yesterday' }, {}],
    [{ since: '2026' }, {}],
    [{ period: '7d' }, { period: '7d' }],
    [{ period: '7w' }, {}],
    [{ period: '2026-11-23T08:00:00Z..2026-11-23T09:00:00Z' }, { period: '2026-11-23T08:00:00Z..2026-11-23T09:00:00Z' }],
    [{ period: '2026-11-23T09:00:00Z..2026-11-23T08:00:00Z' }, {}],
    [{ status: 404 }, { status: 404 }],
    [{ status: '404' }, { status: 404 }],
    [{ status: '4e2' }, {}],
    [{ internal: true }, { internal: true }],
    [{ internal: '1' }, { internal: true }],
    [{ internal: 'no' }, {}],
    [{ user: { $ne: '' }, outcome: ['unknown'] }, {}],
  ])('reads %j', (search, values) => {
    expect(address.parse(search)).toEqual({ ...NOTHING, ...values })
  })

  it('prints what it reads, without defaults', () => {
    const search = { user: 'joe', outcome: 'unknown', since: '2026-11-23T08:00:00.000Z', period: '7d', status: '404', internal: '1' }
    expect(address.print(address.parse(search))).toEqual(search)
    expect(address.print(address.parse({ period: '24h', user: '' }))).toEqual({})
  })

  it('names what it leaves out, except the parameters of the page', () => {
    expect(address.dropped({ app_key: 'ak_1', call: 'x', user: 'joe', outcome: 'gone', colour: 'red' }, ['app_key', 'call'])).toEqual([
      'outcome',
      'colour',
    ])
  })

  it('knows whether anything is filtered', () => {
    expect(isUnfiltered(address, address.parse({ period: '24h' }))).toBe(true)
    expect(isUnfiltered(address, address.parse({ period: '7d' }))).toBe(false)
  })
})

describe('a period', () => {
  const now = new Date('2026-11-23T12:00:00Z')

  it.each([
    ['1h', '2026-11-23T11:00:00.000Z', undefined],
    ['7d', '2026-11-16T12:00:00.000Z', undefined],
    [
      printPeriod(new Date('2026-11-01T00:00:00Z'), new Date('2026-11-02T00:00:00Z')),
      '2026-11-01T00:00:00.000Z',
      '2026-11-02T00:00:00.000Z',
    ],
  ])('%s begins at %s', (text, since, until) => {
    const period = periodOf(text, now)
    expect(period.since.toISOString()).toBe(since)
    expect(period.until?.toISOString()).toBe(until)
  })
})
