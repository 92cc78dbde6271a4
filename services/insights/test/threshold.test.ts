import { effectiveLimit } from '../src/rules/status.ts'
import { levelOf, moveLevel, tasksAtLevel } from '../src/rules/threshold.ts'

const MAX = Number.MAX_SAFE_INTEGER

describe('levelOf', () => {
  it.each([
    [0, 100, 0],
    [79, 100, 79],
    [80, 100, 80],
    [100, 100, 100],
    [250, 100, 100],
    [79_996, 100_000, 79],
    [79_999_999, 100_000_000, 79],
    [0, 0, 0],
    [1, 0, 100],
    [1, 3, 33],
    [MAX - 1, MAX, 99],
    [MAX, MAX, 100],
    [1, MAX, 0],
  ])('%i of %i is level %i', (consumed, limit, level) => {
    expect(levelOf(consumed, limit)).toBe(level)
  })
})

describe('moveLevel', () => {
  const at = (level: number, timesLowered = 0) => ({ level, timesLowered })
  it.each([
    ['stays when nothing changes', at(50), 50, 50, 100, { reached: at(50), from: 50 }],
    ['moves up with consumption', at(50), 50, 85, 100, { reached: at(85), from: 50 }],
    ['passes several levels at once', at(0), 0, 100, 100, { reached: at(100), from: 0 }],
    ['moves up when the limit is lowered', at(50), 50, 50, 60, { reached: at(83), from: 50 }],
    ['moves down and can be reached again when the limit is raised', at(100), 100, 100, 200, { reached: at(50, 1), from: 50 }],
    ['falls no further than a raised limit requires', at(100), 100, 100, 110, { reached: at(90, 1), from: 90 }],
    ['applies a raised limit before the tasks consumed after it', at(100), 100, 170, 200, { reached: at(85, 1), from: 50 }],
    ['stays at 100 past the limit', at(100), 100, 300, 100, { reached: at(100), from: 100 }],
    ['reaches 100 with the first task when the limit is 0', at(0), 0, 1, 0, { reached: at(100), from: 0 }],
  ])('%s', (_what, current, before, consumed, limit, moved) => {
    expect(moveLevel(current, before, consumed, limit)).toEqual(moved)
  })
})

describe('effectiveLimit', () => {
  it.each([
    ['the own limit when no bulk limit was set', { ownLimit: 5, limitSeq: 0 }, { bulkLimit: null, bulkSeq: 0 }, 5],
    ['the bulk limit when it is newer', { ownLimit: 5, limitSeq: 1 }, { bulkLimit: 9, bulkSeq: 2 }, 9],
    ['the own limit when it is newer', { ownLimit: 5, limitSeq: 3 }, { bulkLimit: 9, bulkSeq: 2 }, 5],
    ['the own limit of a user who was created right after the bulk limit', { ownLimit: 5, limitSeq: 2 }, { bulkLimit: 9, bulkSeq: 2 }, 5],
    ['null when the application belongs to no workspace', { ownLimit: null, limitSeq: 0 }, undefined, null],
  ])('is %s', (_what, user, workspace, limit) => {
    expect(effectiveLimit(user, workspace)).toBe(limit)
  })
})

describe('tasksAtLevel', () => {
  it.each([
    [80, 10, 8],
    [80, 5, 4],
    [1, 10, 1],
    [33, 10, 4],
    [100, 3, 3],
    [100, 0, 1],
    [99, Number.MAX_SAFE_INTEGER, 8_917_127_262_193_582],
  ])('is for level %i of %i tasks: %i', (level, limit, tasks) => {
    expect(tasksAtLevel(level, limit)).toBe(tasks)
    expect(levelOf(tasks, limit)).toBeGreaterThanOrEqual(level)
    expect(levelOf(tasks - 1, limit)).toBeLessThan(level)
  })
})
