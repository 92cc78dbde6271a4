import { assign, type Option } from '../src/arguments/choose/assign.ts'
import { finish } from '../src/in-slices.ts'

function option(start: number, end: number, gain: number): Option {
  return { found: { kind: 'quoted', text: '', start, end }, value: start, gain, confidence: 0.5 }
}

describe('the assignment of pieces to parameters', () => {
  it.each<[string, Option[][], (number | null)[]]>([
    ['gives each parameter its best piece', [[option(0, 2, 3)], [option(4, 6, 2)]], [0, 4]],
    ['prefers the best total to the best single piece', [[option(0, 2, 5), option(4, 6, 4)], [option(0, 2, 4.5)]], [4, 0]],
    ['uses no part of the prompt twice', [[option(0, 9, 3)], [option(4, 6, 2)]], [0, null]],
    ['prefers two small pieces to a large one', [[option(0, 9, 3), option(0, 3, 2)], [option(4, 6, 2)]], [0, 4]],
    ['leaves a parameter empty when no piece is a gain', [[option(0, 2, 0)], [option(4, 6, -1)], []], [null, null, null]],
  ])('%s', (_what, options, expected) => {
    expect(finish(assign(options)).map((chosen) => chosen?.found.start ?? null)).toEqual(expected)
  })

  it('finishes when every piece fits every parameter', () => {
    const pieces = Array.from({ length: 60 }, (_, at) => option(at * 2, at * 2 + 1, 1 + ((at * 7) % 5)))
    const chosen = finish(assign(Array.from({ length: 60 }, () => pieces)))
    const starts = chosen.flatMap((one) => (one === null ? [] : [one.found.start]))
    expect(new Set(starts).size).toBe(starts.length)
  })
})
