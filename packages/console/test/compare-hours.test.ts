import { compareHours } from '@onward/contract'
import { compare, spansOf } from '../src/pages/system/compare.ts'

const hour = (at: number, tasks: number, xor = 'a') => ({ hour: `2026-11-23T0${at}:00:00.000Z`, tasks, xor: xor.repeat(32) })

describe('compare', () => {
  it('finds hours with other numbers, other tasks, and those that one service lacks, as the services do', () => {
    const functions = [hour(1, 3), hour(2, 3), hour(3, 3), hour(5, 1)]
    const insights = [hour(1, 3), hour(2, 3, 'b'), hour(3, 2), hour(4, 1)]
    const compared = compare(functions, insights)
    expect(compared).toEqual(compareHours(functions, insights))
    expect(compared.map(({ same }) => same)).toEqual([true, false, false, false, false])
  })
})

describe('spansOf', () => {
  it('ends with the last full hour of ten minutes ago, in days', () => {
    expect(spansOf(48, new Date('2026-11-23T12:05:00Z'))).toEqual([
      { since: '2026-11-21T11:00:00.000Z', until: '2026-11-22T11:00:00.000Z' },
      { since: '2026-11-22T11:00:00.000Z', until: '2026-11-23T11:00:00.000Z' },
    ])
    expect(spansOf(720, new Date('2026-11-23T12:20:00Z'))).toHaveLength(30)
  })
})
