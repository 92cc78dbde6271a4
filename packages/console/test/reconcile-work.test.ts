import { spanOf } from '../src/pages/system/reconcile-work.ts'

describe('spanOf', () => {
  it('ends with the last full hour of ten minutes ago', () => {
    const span = { since: '2026-11-21T11:00:00.000Z', until: '2026-11-23T11:00:00.000Z' }
    expect(spanOf(48, new Date('2026-11-23T12:05:00Z'))).toEqual(span)
    expect(spanOf(720, new Date('2026-11-23T12:20:00Z'))).toEqual({ since: '2026-10-24T12:00:00.000Z', until: '2026-11-23T12:00:00.000Z' })
  })
})
