import { healthByKey } from '../src/pages/catalog/health.ts'

const NOW = new Date('2026-11-23T12:34:56Z')
const hour = (hour: string, key: string, calls: number, failed: number) => ({ hour: `2026-11-${hour}:00:00Z`, key, calls, failed })

describe('healthByKey', () => {
  it('puts the hours of each key in their order, the running hour last', () => {
    const health = healthByKey([hour('23T12', 'slack', 5, 1), hour('22T13', 'slack', 7, 0), hour('23T11', 'jira', 2, 2)], NOW)
    expect([...health.keys()]).toEqual(['slack', 'jira'])
    const slack = health.get('slack')
    expect([slack?.calls.length, slack?.calls[0], slack?.calls[23], slack?.failed[23], slack?.all, slack?.allFailed]).toEqual([
      24, 7, 5, 1, 12, 1,
    ])
    expect(health.get('jira')).toMatchObject({ all: 2, allFailed: 2 })
  })

  it('leaves out hours before the last 24', () => {
    expect(healthByKey([hour('22T12', 'slack', 5, 1)], NOW).size).toBe(0)
  })
})
