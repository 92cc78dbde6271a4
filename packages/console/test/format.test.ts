import {
  daysAgo,
  formatBytes,
  formatCapped,
  formatCompact,
  formatCount,
  formatDated,
  formatDay,
  formatDuration,
  formatInstant,
  formatNumber,
  formatPercent,
  formatPeriod,
  formatRelative,
  formatShort,
  formatStep,
  formatTick,
  formatUntil,
  setLocale,
  shortId,
  zoneName,
} from '../src/text/format.ts'

const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
// The tables below are made before the tests run.
Object.defineProperty(globalThis, 'navigator', { value: { language: 'en-GB' }, configurable: true })
afterAll(() => {
  if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator')
  else Object.defineProperty(globalThis, 'navigator', before)
})

const at = new Date('2026-11-23T14:05:09.123Z')

describe('numbers', () => {
  it('are grouped in the same way on an axis and in a text', () => {
    setLocale('de-CH')
    expect(formatCompact(1_000)).toBe(formatNumber(1_000))
    setLocale('en-GB')
  })

  it.each([
    [formatNumber(12345.678), '12,345.68'],
    [formatCompact(128_442).toUpperCase(), '128.4K'],
    [formatPercent(0.875), '87.5%'],
    [formatPercent(7 / 9), '77.8%'],
    [formatPercent(7 / 6), '117%'],
    [formatPercent(0.9994), '99.9%'],
    [formatPercent(0.9999), '> 99.9%'],
    [formatPercent(1), '100%'],
    [formatPercent(0), '0%'],
    [formatPercent(0.0007), '0.1%'],
    [formatPercent(0.0004), '< 0.1%'],
    [formatCount(1, 'call', 'calls'), '1 call'],
    [formatCount(0, 'call', 'calls'), '0 calls'],
    [formatCount(1200, 'call', 'calls'), '1,200 calls'],
    [formatCapped(9999, 10_000), '9,999'],
    [formatCapped(10_000, 10_000), '10,000+'],
    [formatBytes(0), '0 B'],
    [formatBytes(1500), '1.5 kB'],
    [formatBytes(24_000_000), '24 MB'],
  ])('%s', (text, expected) => expect(text).toBe(expected))
})

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [38.4, '38 ms'],
    [999, '999 ms'],
    [1249, '1.24 s'],
    [59_999, '59.99 s'],
    [125_000, '2 min 5 s'],
    [3_600_000, '1 h'],
    [12_000_000, '3 h 20 min'],
    [180_000_000, '2 d 2 h'],
  ])('%i ms are %s', (ms, expected) => expect(formatDuration(ms)).toBe(expected))
})

describe('times', () => {
  it.each([
    [formatInstant(at, 'UTC'), '23 Nov 2026, 14:05:09.123 UTC'],
    [formatDated(at, new Date('2026-11-23T20:00:00Z'), 'UTC'), '23 Nov, 14:05'],
    [formatPeriod(daysAgo(1, at, 'UTC'), daysAgo(0, at, 'UTC'), at, 'UTC'), '22 Nov, 00:00 – 24:00 UTC'],
    [formatPeriod(daysAgo(1, at, 'UTC'), at, at, 'UTC'), '22 Nov, 00:00 – 23 Nov, 14:05 UTC'],
    [formatShort(at, new Date('2026-11-23T20:00:00Z'), 'UTC'), '14:05:09'],
    [formatShort(at, new Date('2026-11-24T20:00:00Z'), 'UTC'), 'Yesterday, 14:05'],
    [formatShort(at, new Date('2026-11-25T00:00:00Z'), 'UTC'), '23 Nov, 14:05'],
    [formatShort(at, new Date('2027-01-24T20:00:00Z'), 'UTC'), '23 Nov 2026, 14:05'],
    [formatDay(at, 'UTC'), '23 Nov 2026'],
    [formatTick(at, 'hour', 'UTC'), '14:05'],
    [formatTick(at, 'day', 'UTC'), '23 Nov'],
    [formatStep(at, 'hour', 'UTC'), 'Mon 23 Nov, 14:05 UTC'],
    [zoneName(at, 'UTC'), 'UTC'],
  ])('%s', (text, expected) => expect(text.replace('Mon,', 'Mon')).toBe(expected))

  it('names the zone of the browser', () => {
    expect(formatInstant(at, 'local')).toContain(zoneName(at, 'local'))
    expect(zoneName(at, 'local')).not.toBe('')
  })

  it.each([
    ['2026-11-23T14:05:08.000Z', 'just now'],
    ['2026-11-23T14:04:57.000Z', '12 s ago'],
    ['2026-11-23T13:05:10.000Z', '59 min ago'],
    ['2026-11-23T13:05:09.000Z', '1 h ago'],
    ['2026-11-22T14:05:09.000Z', '1 day ago'],
    ['2026-11-20T14:05:09.000Z', '3 days ago'],
    ['2026-11-23T14:08:10.000Z', 'in 3 min'],
  ])('%s is %s', (text, expected) => expect(formatRelative(new Date(text), at)).toBe(expected))

  it.each([
    ['2026-11-23T14:08:10.000Z', 'in 3 minutes'],
    ['2026-11-23T17:05:08.000Z', 'in 2 hours'],
    ['2026-12-22T15:00:00.000Z', 'in 29 days'],
    ['2026-11-23T14:00:00.000Z', 'in 0 minutes'],
  ])('%s comes %s', (text, expected) => expect(formatUntil(new Date(text), at)).toBe(expected))
})

describe('shortId', () => {
  it.each([
    ['019ac2f4-7b3d-7e21-8c54-2f9d0a6b1e77', '019ac2f4…1e77'],
    ['ak_12345', 'ak_12345'],
  ])('%s is %s', (id, expected) => expect(shortId(id)).toBe(expected))
})
