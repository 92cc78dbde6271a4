import { spansOf } from '../src/pages/system/spans.ts'

describe('spansOf', () => {
  it('ends with the last full hour of ten minutes ago, in days', () => {
    expect(spansOf(48, new Date('2026-11-23T12:05:00Z'))).toEqual([
      { since: '2026-11-21T11:00:00.000Z', until: '2026-11-22T11:00:00.000Z' },
      { since: '2026-11-22T11:00:00.000Z', until: '2026-11-23T11:00:00.000Z' },
    ])
    expect(spansOf(720, new Date('2026-11-23T12:20:00Z'))).toHaveLength(30)
  })
})
