import { compareHours } from '@onward/contract/pure'

const hour = (at: number, tasks: number, xor = 'a') => ({ hour: `2026-11-23T0${at}:00:00.000Z`, tasks, xor: xor.repeat(32) })

describe('compareHours', () => {
  it('finds hours with other numbers, other tasks, and those that one service lacks, in order', () => {
    const functions = [hour(1, 3), hour(2, 3), hour(3, 3), hour(5, 1)]
    const insights = [hour(1, 3), hour(2, 3, 'b'), hour(3, 2), hour(4, 1)]
    const compared = compareHours(functions, insights)
    expect(compared.map(({ hour: at }) => new Date(at).getUTCHours())).toEqual([1, 2, 3, 4, 5])
    expect(compared.map(({ same }) => same)).toEqual([true, false, false, false, false])
  })
})
