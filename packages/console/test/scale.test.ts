import {
  areaPath,
  byDay,
  cumulate,
  labelled,
  labelledDays,
  linePath,
  pointAt,
  projectedAt,
  projectionOf,
  scaleOf,
} from '../src/ui/chart/scale.ts'

describe('the axis of a chart', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [7, [0, 2, 4, 6, 8]],
    [1240, [0, 500, 1000, 1500]],
    [10_000, [0, 5000, 10_000]],
  ])('for a largest value of %i has the lines %j', (largest, ticks) => {
    expect(scaleOf(largest)).toEqual({ max: ticks.at(-1), ticks })
  })

  it.each([...Array(60).keys()].map((step) => Math.round(1.3 ** step)))('shows %i, with whole numbers evenly apart', (largest) => {
    const { max, ticks } = scaleOf(largest)
    expect(max).toBeGreaterThanOrEqual(largest)
    expect(ticks.every(Number.isInteger)).toBe(true)
    const steps = new Set(ticks.slice(1).map((tick, at) => tick - (ticks[at] ?? 0)))
    expect(steps.size).toBe(1)
    expect(ticks.length).toBeLessThanOrEqual(7)
  })

  it.each([
    [24, 1000, [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]],
    [3, 1000, [0, 1, 2]],
  ])('labels %i points on %i pixels without overlap', (count, width, expected) => {
    const shown = labelled(count, width)
    expect(shown).toEqual(expected)
  })

  it.each([
    [1000, [12, 36, 60, 84, 108, 132, 156]],
    [240, [12, 84, 156]],
  ])('labels the hours of a week on %i pixels with the days that begin', (width, expected) => {
    const days = Array.from({ length: 168 }, (_, hour) => String(Math.floor((hour + 12) / 24)))
    expect(labelledDays(days, width)).toEqual(expected)
  })

  it('labels nothing before it is measured', () => expect(labelled(24, 0)).toEqual([]))

  it.each([
    [-5, 0],
    [0, 0],
    [99, 9],
    [250, 9],
  ])('finds the point at %i pixels', (x, expected) => expect(pointAt(x, 100, 10)).toBe(expected))
})

describe('the values of a chart', () => {
  it('add up', () => expect(cumulate([1, 2, 3])).toEqual([1, 3, 6]))

  it('become days in the zone of the reader, each with the time of its first hour', () => {
    const hours = [22, 23, 24, 25].map((hour) => ({ at: new Date(Date.UTC(2026, 10, 23, hour)), values: [1, hour] }))
    const days = byDay(hours, (at) => at.toISOString().slice(0, 10))
    expect(days).toEqual([
      { at: hours[0]?.at, values: [2, 45] },
      { at: hours[2]?.at, values: [2, 49] },
    ])
    expect(hours[0]?.values).toEqual([1, 22])
  })

  it.each([
    ['goes on as until now', '2026-11-11T00:00:00Z', 300],
    ['is unknown in the first day', '2026-11-01T23:30:00Z', undefined],
    ['is what it is after the end', '2026-12-02T00:00:00Z', undefined],
  ])('%s', (_, now, expected) => {
    expect(projectedAt(100, new Date('2026-11-01T00:00:00Z'), new Date(now), new Date('2026-12-01T00:00:00Z'))).toBe(expected)
  })

  it('draw as a line and an area', () => {
    const points = [
      [0, 10],
      [5.55, 2],
    ] as const
    expect(linePath(points)).toBe('M0 10L5.6 2')
    expect(areaPath(points, 20)).toBe('M0 10L5.6 2L5.6 20L0 20Z')
    expect(areaPath([], 20)).toBe('')
  })
})

describe('projectionOf', () => {
  it.each([
    ['the whole way, to a value that fits', 80, 40, 100, { end: 80, share: 1 }],
    ['a part of the way, to a little above the limit', 500, 50, 100, { end: 125, share: 75 / 450 }],
    ['a part of the way, also far above the limit', 600, 400, 400, { end: 500, share: 0.5 }],
    ['level, if nothing more comes', 40, 40, 100, { end: 40, share: 1 }],
  ])('goes %s', (_way, projected, now, known, expected) => expect(projectionOf(projected, now, known)).toEqual(expected))
})
