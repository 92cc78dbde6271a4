import { lastDayByKey, lastDayOf } from '../src/parts/last-day.ts'

const NOW = new Date('2026-11-23T12:34:56Z')
const hour = (hour: string, key: string | null, calls: number, failed = 0) => ({ hour: `2026-11-${hour}:00:00Z`, key, calls, failed })

describe('the calls of the last 24 hours', () => {
  it('have a number for each hour, the running hour last', () => {
    expect(lastDayOf([hour('23T12', 'slack', 5, 1), hour('22T13', 'slack', 7)], NOW)).toEqual({
      calls: [7, ...Array(22).fill(0), 5],
      failed: [...Array(23).fill(0), 1],
      allCalls: 12,
      allFailed: 1,
    })
  })

  it('leave out earlier hours, and later ones', () => {
    expect(lastDayOf([hour('22T12', 'slack', 5, 1), hour('23T13', 'slack', 5, 1)], NOW)).toMatchObject({ allCalls: 0, allFailed: 0 })
  })

  it('add up the keys of an hour', () => {
    expect(lastDayOf([hour('23T12', 'slack-a', 5, 1), hour('23T12', 'slack-b', 2, 2)], NOW)).toMatchObject({ allCalls: 7, allFailed: 3 })
  })

  it('are kept apart by key, without the hours that have none', () => {
    const found = lastDayByKey(
      [hour('23T12', 'slack', 5, 1), hour('23T11', 'jira', 2, 2), hour('23T10', 'slack', 1), hour('23T10', null, 9)],
      NOW,
    )
    expect([...found.keys()]).toEqual(['slack', 'jira'])
    expect(found.get('slack')).toMatchObject({ allCalls: 6, allFailed: 1 })
    expect(found.get('jira')).toMatchObject({ allCalls: 2, allFailed: 2 })
  })
})
