import { spanOf } from '../src/pages/system/reconcile-work.ts'

describe('spanOf', () => {
  it('ends now', () => {
    const span = { since: '2026-11-21T12:05:00.000Z', until: '2026-11-23T12:05:00.000Z' }
    expect(spanOf(48, new Date('2026-11-23T12:05:00Z'))).toEqual(span)
  })
})
