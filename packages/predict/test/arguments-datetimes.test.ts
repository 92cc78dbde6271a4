import { datetimeInstant, datetimeText } from '../src/arguments/find/datetimes.ts'
import { slotsOf } from '../src/arguments/slot/slot.ts'
import { type Properties, valuesOf } from './support.ts'

describe('predictArguments, for dates and times,', () => {
  it.each<[Properties[string], string, string, unknown]>([
    [{ type: 'string', format: 'date' }, 'the date is tomorrow', 'UTC', '2026-11-24'],
    [{ type: 'string', format: 'date' }, 'the date is tomorrow', 'Pacific/Kiritimati', '2026-11-24'],
    [{ type: 'string', format: 'date' }, 'the date is today', 'Pacific/Pago_Pago', '2026-11-22'],
    [{ type: 'string', format: 'date-time' }, 'the date is December 3, 2026 at 3pm', 'UTC', '2026-12-03T15:00:00Z'],
    [{ type: 'string', format: 'date-time' }, 'the date is December 3, 2026 at 3pm', 'Europe/Rome', '2026-12-03T15:00:00+01:00'],
    [{ type: 'string', format: 'date-time' }, 'the date is July 3, 2027 at 3pm', 'America/New_York', '2027-07-03T15:00:00-04:00'],
    [{ type: 'string', format: 'date-time' }, 'the date is July 3, 2027 at 3pm', 'Asia/Kolkata', '2027-07-03T15:00:00+05:30'],
    [{ type: 'string' }, 'the date is March 5, 2027', 'UTC', '2027-03-05'],
    [{ type: 'string', description: 'Date as MM/DD/YYYY' }, 'the date is March 5, 2027', 'UTC', '03/05/2027'],
    [{ type: 'string', description: 'Date in DD-MM-YYYY format' }, 'the date is March 5, 2027', 'UTC', '05-03-2027'],
    [{ type: 'integer', description: 'Unix time in seconds' }, 'the date is March 5, 2027', 'UTC', 1_804_204_800],
    [{ type: 'integer', description: 'Unix milliseconds' }, 'the date is March 5, 2027', 'UTC', 1_804_204_800_000],
  ])('writes for %j the date of "%s" in %s', (schema, prompt, timeZone, expected) => {
    expect(valuesOf({ date: schema }, prompt, { timeZone })).toEqual({ date: expected })
  })

  it.each([
    ['2026-03-28T19:00Z', 'in 12 hours', '2026-03-29T09:00:00+02:00'],
    ['2026-10-24T18:00Z', 'in 12 hours', '2026-10-25T07:00:00+01:00'],
    ['2026-03-28T19:00Z', '720 minutes from now', '2026-03-29T09:00:00+02:00'],
    ['2026-03-29T02:00Z', '3 hours ago', '2026-03-29T00:00:00+01:00'],
    ['2026-10-25T02:00Z', '3 hours ago', '2026-10-25T01:00:00+02:00'],
    // The clocks go back, so this hour occurs twice.
    ['2026-10-25T00:10Z', 'in 20 minutes', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T00:10Z', 'in 80 minutes', '2026-10-25T02:30:00+01:00'],
    ['2026-03-28T19:00Z', 'tomorrow at 8 am', '2026-03-29T08:00:00+02:00'],
    ['2026-10-24T18:00Z', 'tomorrow at 8 am', '2026-10-25T08:00:00+01:00'],
    ['2026-03-28T19:00Z', 'in 2 days at 8 am', '2026-03-30T08:00:00+02:00'],
    ['2026-10-24T18:00Z', 'in 2 days and 3 hours', '2026-10-26T23:00:00+01:00'],
    ['2026-11-23T09:00Z', '90 minutes after noon', '2026-11-23T13:30:00+01:00'],
  ])('reads, at %s in Berlin, "%s" as %s', (at, said, expected) => {
    const values = valuesOf({ date: { type: 'string', format: 'date-time' } }, `the date is ${said}`, {
      timeZone: 'Europe/Berlin',
      now: new Date(at),
    })
    expect(values).toEqual({ date: expected })
  })

  it.each([
    ['December 3, 2026 at 3pm UTC', '2026-12-03T15:00:00Z'],
    ['2026-12-03T15:00:00Z', '2026-12-03T15:00:00Z'],
    ['2026-12-03T15:00:00-05:00', '2026-12-03T15:00:00-05:00'],
    ['December 3, 2026 at 3:30 PM EST', '2026-12-03T15:30:00-05:00'],
    ['tomorrow at 3pm GMT+2', '2026-11-24T15:00:00+02:00'],
    ['tomorrow at 7 pm', '2026-11-24T19:00:00+01:00'],
    ['tomorrow at 7 pm art', '2026-11-24T19:00:00+01:00'],
    ['NOV 30 at 5 PM art class', '2026-11-30T17:00:00+01:00'],
    ['TOMORROW AT 9 AM GET MILK', '2026-11-24T09:00:00+01:00'],
    ['tomorrow at 7pm +2 guests', '2026-11-24T19:00:00+01:00'],
    ['tomorrow at 3 PM PT', '2026-11-24T15:00:00-08:00'],
    ['June 3, 2027 at noon ET', '2027-06-03T12:00:00-04:00'],
    ['tomorrow at 15:00 (CET)', '2026-11-24T15:00:00+01:00'],
  ])('uses the time zone of "%s", if it names one', (said, expected) => {
    const values = valuesOf({ date: { type: 'string', format: 'date-time' } }, `the date is ${said}`, { timeZone: 'Europe/Rome' })
    expect(values).toEqual({ date: expected })
  })

  it.each([
    ['tomorrow from 3pm to 5pm EST', '2026-11-24T15:00:00-05:00', '2026-11-24T17:00:00-05:00'],
    ['December 3 3pm - 5pm PST', '2026-12-03T15:00:00-08:00', '2026-12-03T17:00:00-08:00'],
    ['tomorrow from 9:00 until 17:00 UTC', '2026-11-24T09:00:00Z', '2026-11-24T17:00:00Z'],
    ['tomorrow from 3pm to 5pm', '2026-11-24T15:00:00+01:00', '2026-11-24T17:00:00+01:00'],
  ])('applies the time zone to both ends of "%s"', (said, start_time, end_time) => {
    const time = { type: 'string', format: 'date-time' } as const
    const values = valuesOf({ start_time: time, end_time: time }, `schedule a meeting ${said}`, { timeZone: 'Europe/Rome' })
    expect(values).toEqual({ start_time, end_time })
  })

  it.each([
    ['in 2 days', '2026-03-30'],
    ['in 28 hours', '2026-03-30'],
  ])('counts calendar days for "%s"', (said, expected) => {
    const values = valuesOf({ date: { type: 'string', format: 'date' } }, `the date is ${said}`, {
      timeZone: 'Europe/Berlin',
      now: new Date('2026-03-28T19:00Z'),
    })
    expect(values).toEqual({ date: expected })
  })

  it.each<[year: number, instant: string | undefined, day: string | undefined]>([
    [-100, undefined, undefined],
    [0, undefined, undefined],
    [50, '0050-03-05T15:00:00Z', '03/05/0050'],
    [9_999, '9999-03-05T15:00:00Z', '03/05/9999'],
    [13_434, undefined, undefined],
  ])('writes the year %i with four digits, or leaves the date out', (year, instant, day) => {
    const datetime = { year, month: 3, date: 5, hour: 15, minute: 0, second: 0, day: true, time: true }
    const [slot] = slotsOf({ properties: { date: { type: 'string', description: 'Date as MM/DD/YYYY' } }, required: [] })
    expect([datetimeInstant(datetime, 'UTC'), slot && datetimeText(slot, datetime, 'UTC')]).toEqual([instant, day])
  })

  it('fills two parameters with the two ends of a range', () => {
    const date = { type: 'string', format: 'date' } as const
    expect(valuesOf({ start_date: date, end_date: date }, 'report from October 10, 2021 to April 9, 2026')).toEqual({
      start_date: '2021-10-10',
      end_date: '2026-04-09',
    })
    expect(valuesOf({ end_date: date, start_date: date }, 'report from October 10, 2021 to April 9, 2026')).toEqual({
      start_date: '2021-10-10',
      end_date: '2026-04-09',
    })
  })

  it('writes a time like the examples in the description', () => {
    const prompt = 'book it at 14:30'
    expect(valuesOf({ time: { type: 'string', description: 'Time (e.g., 09:00)' } }, prompt)).toEqual({ time: '14:30' })
    expect(valuesOf({ time: { type: 'string', description: 'Time (e.g., 09:00 AM)' } }, prompt)).toEqual({ time: '02:30 PM' })
  })
})
