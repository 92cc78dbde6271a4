import { accentsOf, contrastOf } from '@onward/contract/pure'
import { changesOf } from '../src/embed/account-changes.ts'
import { readAppearance } from '../src/embed/settings.ts'
import { curveOf } from '../src/embed/usage-curve.ts'

describe('accentsOf', () => {
  it.each(['3b5bdb', '000000', 'ffffff', 'ffee00', '777777', 'ff0000', '00ff00', '0000ff'])('makes %s readable in both themes', (hex) => {
    const { light, dark } = accentsOf(hex)
    for (const [{ accent, strong, on }, surfaces] of [
      [light, ['#ffffff', '#f6f7f9']],
      [dark, ['#141820', '#1b212b', '#0c0f14']],
    ] as const) {
      for (const surface of surfaces) expect(contrastOf(accent, surface)).toBeGreaterThanOrEqual(4.5)
      for (const behind of [accent, strong]) expect(contrastOf(on, behind)).toBeGreaterThanOrEqual(4.5)
    }
  })

  it('keeps a colour that is readable as it is', () => {
    expect(accentsOf('3b5bdb').light).toMatchObject({ accent: '#3b5bdb', on: '#ffffff' })
    expect(accentsOf('ffee00').dark).toMatchObject({ accent: '#ffee00', on: '#0c1024' })
  })

  it('knows the contrast of black and white', () => {
    expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21)
  })
})

describe('readAppearance', () => {
  it.each([
    ['', { theme: undefined, primary: undefined, gutters: true }],
    ['?theme=dark&primary=FF8800&gutters=0', { theme: 'dark', primary: 'ff8800', gutters: false }],
    ['?theme=blue&primary=red;x:y&gutters=1', { theme: undefined, primary: undefined, gutters: true }],
    ['?primary=%23ff8800', { theme: undefined, primary: undefined, gutters: true }],
  ])('reads %s', (search, expected) => {
    expect(readAppearance(search)).toEqual(expected)
  })
})

describe('changesOf', () => {
  const listed = (ids: readonly number[], more = false) => ({ accounts: ids.map((id) => ({ id, status: 'active' as const })), more })
  const connected = (id: number) => ({ type: 'connected', connected_account_id: id })
  const disconnected = (id: number) => ({ type: 'disconnected', connected_account_id: id })

  it('finds accounts that came, that are gone, and that work again', () => {
    expect(changesOf(listed([2, 1]), listed([3, 2]))).toEqual([connected(3), disconnected(1)])
    expect(changesOf(listed([2, 1]), listed([]))).toEqual([disconnected(2), disconnected(1)])
    const broken = { accounts: [{ id: 1, status: 'expired' as const }], more: false }
    expect(changesOf(broken, listed([1]))).toEqual([connected(1)])
    expect(changesOf(listed([1]), broken)).toEqual([])
  })

  it.each([
    ['pushed off the list', listed([3, 2, 1]), listed([4, 3, 2], true), [connected(4)]],
    ['pushed off a list that was cut', listed([4, 3, 2], true), listed([5, 4, 3], true), [connected(5)]],
    ['that another one made room for', listed([4, 3, 2], true), listed([4, 2, 1]), [disconnected(3)]],
    ['older than a cut list, once all are listed', listed([4, 3], true), listed([4, 3, 2]), []],
  ])('announces nothing about an account %s', (_what, before, now, events) => {
    expect(changesOf(before, now)).toEqual(events)
  })
})

describe('curveOf', () => {
  const period = { starts_at: '2026-11-20T15:00:00.000Z', ends_at: '2026-11-25T15:00:00.000Z' }

  it('sums the days until today, and leaves the days to come open', () => {
    const days = [
      { date: '2026-11-20', tasks_consumed: 2 },
      { date: '2026-11-21', tasks_consumed: 0 },
      { date: '2026-11-22', tasks_consumed: 5 },
    ]
    const points = curveOf({ period, days })
    expect(points.map(({ values: [total] }) => total)).toEqual([2, 2, 7, null, null, null])
    expect(points.at(-1)?.at.toISOString()).toBe('2026-11-25T12:00:00.000Z')
  })

  it('ends on the last day that has a part of the period', () => {
    const whole = { starts_at: '2026-11-20T00:00:00.000Z', ends_at: '2026-11-22T00:00:00.000Z' }
    expect(curveOf({ period: whole, days: [{ date: '2026-11-20', tasks_consumed: 1 }] })).toHaveLength(2)
  })

  it('is empty before the first task', () => {
    expect(curveOf({ period: null, days: [] })).toEqual([])
  })
})
