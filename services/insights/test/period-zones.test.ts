import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LimitPeriod } from '../src/rules/period.ts'

type Case = { anchor: string; periods: { days: number; from: string | null }[]; at: string }

const PERIOD = pathToFileURL(join(__dirname, '../src/rules/period.ts')).href
const SCRIPT = `
  const { periodAt } = await import('${PERIOD}')
  const { anchor, periods, at } = JSON.parse(process.env.CASE)
  const lengths = periods.map(({ days, from }) => ({ days, from: from && new Date(from) }))
  const { startsAt, endsAt } = periodAt(new Date(anchor), lengths, new Date(at))
  console.log(startsAt.toISOString() + ' ' + endsAt.toISOString() + ' ' + new Date(2026, 6, 1).getTimezoneOffset())`

/** Input of `periodAt` in a process with another time zone. */
function periodIn(TZ: string, each: Case): Promise<string> {
  const env = { PATH: process.env.PATH, TZ, CASE: JSON.stringify(each) }
  const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '-e', SCRIPT]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, cwd: join(__dirname, '..', '..', '..') }, (err, out) =>
      err === null ? resolve(out.trim()) : reject(err),
    )
  })
}

const always = (days: number): Case['periods'] => [{ days, from: null }] satisfies { days: LimitPeriod['days']; from: string | null }[]
const ZONES = [
  ['America/New_York', '240'],
  ['Europe/Berlin', '-120'],
] as const

describe.each(ZONES)('periods of a process in %s', (zone, offset) => {
  it.each<[string, Case, string]>([
    [
      'end at the same time of day over the start of summer time in New York',
      { anchor: '2026-03-06T06:30:00.000Z', periods: always(7), at: '2026-03-13T06:29:59.999Z' },
      '2026-03-06T06:30:00.000Z 2026-03-13T06:30:00.000Z',
    ],
    [
      'end at the same time of day over the start of summer time in Berlin',
      { anchor: '2026-03-27T00:30:00.000Z', periods: always(3), at: '2026-03-30T00:30:00.000Z' },
      '2026-03-30T00:30:00.000Z 2026-04-02T00:30:00.000Z',
    ],
    [
      'have 24 hours per day over the end of summer time',
      { anchor: '2026-10-24T22:00:00.000Z', periods: always(1), at: '2026-10-25T22:00:00.000Z' },
      '2026-10-25T22:00:00.000Z 2026-10-26T22:00:00.000Z',
    ],
    [
      'count a leap day',
      { anchor: '2028-02-28T12:00:00.000Z', periods: always(2), at: '2028-03-01T11:59:59.999Z' },
      '2028-02-28T12:00:00.000Z 2028-03-01T12:00:00.000Z',
    ],
    [
      'begin on a leap day and last 366 days',
      { anchor: '2028-02-29T00:00:00.000Z', periods: always(366), at: '2029-02-28T23:59:59.999Z' },
      '2028-02-29T00:00:00.000Z 2029-03-01T00:00:00.000Z',
    ],
    [
      'continue over the end of a year',
      { anchor: '2026-12-31T23:59:59.999Z', periods: always(30), at: '2027-01-01T00:00:00.000Z' },
      '2026-12-31T23:59:59.999Z 2027-01-30T23:59:59.999Z',
    ],
    [
      'use the later of two lengths set in one period, over the start of summer time',
      {
        anchor: '2026-03-01T05:00:00.000Z',
        periods: [...always(30), { days: 7, from: '2026-03-08T06:59:00.000Z' }, { days: 1, from: '2026-03-08T07:01:00.000Z' }],
        at: '2026-03-31T05:00:00.000Z',
      },
      '2026-03-31T05:00:00.000Z 2026-04-01T05:00:00.000Z',
    ],
  ])('%s', async (_what, each, expected) => {
    expect(await periodIn(zone, each)).toBe(`${expected} ${offset}`)
  })
})
