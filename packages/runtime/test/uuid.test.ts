import { firstUuidAt, isUuid, uuidv7 } from '../src/index.ts'

describe('uuidv7', () => {
  it('returns a UUID of version 7 with the variant of the RFC', () => {
    for (let i = 0; i < 1_000; i++) {
      expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it('begins with its time, so that ids sort by time', () => {
    const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1]
    const ids = times.map((time) => uuidv7(time))
    expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids)
    expect(ids.map((id) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16))).toEqual(times)
  })

  it('returns a different id each time', () => {
    const now = Date.now()
    expect(new Set(Array.from({ length: 10_000 }, () => uuidv7(now))).size).toBe(10_000)
  })
})

describe('firstUuidAt', () => {
  it.each([
    ['1969-12-31T00:00:00Z', '00000000-0000-0000-0000-000000000000'],
    ['2026-01-01T00:00:00Z', '019b76da-a800-0000-0000-000000000000'],
    ['9999-12-31T23:59:59Z', 'e677d21f-d818-0000-0000-000000000000'],
    ['+012000-01-01T00:00:00Z', 'ffffffff-ffff-0000-0000-000000000000'],
  ])('returns a UUID for any time: %s', (time, id) => {
    expect(firstUuidAt(new Date(time))).toBe(id)
  })
})

describe('isUuid', () => {
  it.each([
    ['0190a6f0-0000-7000-8000-000000000000', true],
    ['0190A6F0-0000-7000-8000-00000000ABCD', true],
    ['0190a6f0-0000-7000-8000-00000000000', false],
    ['0190a6f0000070008000000000000000', false],
    [' 0190a6f0-0000-7000-8000-000000000000', false],
    ['0190a6f0-0000-7000-8000-000000000000\n', false],
    ['', false],
  ])('checks the form of %j', (text, known) => {
    expect(isUuid(text)).toBe(known)
  })
})
