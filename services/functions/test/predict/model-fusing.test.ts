import { fuse } from '../../src/predict/model/advise.ts'

const offline = [
  { number: 7, confidence: 0.8 },
  { number: 3, confidence: 0.3 },
  { number: 5, confidence: 0.1 },
]

describe('fuse', () => {
  it.each<[number[], number[]]>([
    [[], [7, 3, 5]],
    [
      [7, 3, 5],
      [7, 3, 5],
    ],
    [
      [3, 5, 7],
      [3, 7, 5],
    ],
    [[9], [7, 9, 3, 5]],
    [
      [5, 9, 3],
      [5, 3, 7, 9],
    ],
  ])('adds the nearest %j to the offline ranking and returns %j', (nearest, expected) => {
    expect(fuse(offline, nearest).map(({ number }) => number)).toEqual(expected)
  })

  it('keeps the confidence of each rank', () => {
    expect(fuse(offline, [9, 5, 3]).map(({ confidence }) => confidence)).toEqual([0.8, 0.3, 0.1, 0.1])
    expect(fuse([], [9, 5])).toEqual([
      { number: 9, confidence: 0 },
      { number: 5, confidence: 0 },
    ])
  })
})
