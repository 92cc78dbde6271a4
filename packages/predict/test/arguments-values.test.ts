import type { ParameterSchema } from '@onward/catalog'
import { slotsIn } from '../src/arguments/slot/slots-of.ts'
import { momentInstant, momentText } from '../src/arguments/value/moment-text.ts'
import { predictArguments } from '../src/index.ts'
import { fillableOf } from './fillable.ts'

type Properties = Record<string, Omit<ParameterSchema, 'description'> & { description?: string }>

const monday = new Date('2026-11-23T09:00:00Z')

/** All parameters are required unless their names are among `optional`. */
function fill(properties: Properties, prompt: string, { optional = [] as string[], timeZone = 'UTC', title = 'Do it', now = monday } = {}) {
  const described = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, { description: '', ...schema }]))
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  const fillable = fillableOf({ title, description: '', parameters: { type: 'object', properties: described, required } })
  return predictArguments(fillable, { prompt, variables: null, now, timeZone })
}

function valuesOf(...input: Parameters<typeof fill>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fill(...input)).map(([name, { value }]) => [name, value]))
}

describe('dates and times', () => {
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
  ])('%j: %s in %s', (schema, prompt, timeZone, expected) => {
    expect(valuesOf({ date: schema }, prompt, { timeZone })).toEqual({ date: expected })
  })

  it.each([
    ['2026-03-28T19:00Z', 'in 12 hours', '2026-03-29T09:00:00+02:00'],
    ['2026-10-24T18:00Z', 'in 12 hours', '2026-10-25T07:00:00+01:00'],
    ['2026-03-28T19:00Z', '720 minutes from now', '2026-03-29T09:00:00+02:00'],
    ['2026-03-29T02:00Z', '3 hours ago', '2026-03-29T00:00:00+01:00'],
    ['2026-10-25T02:00Z', '3 hours ago', '2026-10-25T01:00:00+02:00'],
    // This hour comes twice.
    ['2026-10-25T00:10Z', 'in 20 minutes', '2026-10-25T02:30:00+02:00'],
    ['2026-10-25T00:10Z', 'in 80 minutes', '2026-10-25T02:30:00+01:00'],
    ['2026-03-28T19:00Z', 'tomorrow at 8 am', '2026-03-29T08:00:00+02:00'],
    ['2026-10-24T18:00Z', 'tomorrow at 8 am', '2026-10-25T08:00:00+01:00'],
    ['2026-03-28T19:00Z', 'in 2 days at 8 am', '2026-03-30T08:00:00+02:00'],
    ['2026-10-24T18:00Z', 'in 2 days and 3 hours', '2026-10-26T23:00:00+01:00'],
    ['2026-11-23T09:00Z', '90 minutes after noon', '2026-11-23T13:30:00+01:00'],
  ])('at %s in Berlin, %s is %s', (at, said, expected) => {
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
  ])('takes the zone from %s where it names one', (said, expected) => {
    const values = valuesOf({ date: { type: 'string', format: 'date-time' } }, `the date is ${said}`, { timeZone: 'Europe/Rome' })
    expect(values).toEqual({ date: expected })
  })

  it.each([
    ['tomorrow from 3pm to 5pm EST', '2026-11-24T15:00:00-05:00', '2026-11-24T17:00:00-05:00'],
    ['December 3 3pm - 5pm PST', '2026-12-03T15:00:00-08:00', '2026-12-03T17:00:00-08:00'],
    ['tomorrow from 9:00 until 17:00 UTC', '2026-11-24T09:00:00Z', '2026-11-24T17:00:00Z'],
    ['tomorrow from 3pm to 5pm', '2026-11-24T15:00:00+01:00', '2026-11-24T17:00:00+01:00'],
  ])('gives both ends of a range the zone: %s', (said, start_time, end_time) => {
    const time = { type: 'string', format: 'date-time' } as const
    const values = valuesOf({ start_time: time, end_time: time }, `schedule a meeting ${said}`, { timeZone: 'Europe/Rome' })
    expect(values).toEqual({ start_time, end_time })
  })

  it.each([
    ['in 2 days', '2026-03-30'],
    ['in 28 hours', '2026-03-30'],
  ])('counts the days of %s on the calendar', (said, expected) => {
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
  ])('writes the year %i with four digits, or not at all', (year, instant, day) => {
    const moment = { year, month: 3, date: 5, hour: 15, minute: 0, second: 0, day: true, time: true }
    const [slot] = slotsIn({ date: { type: 'string', description: 'Date as MM/DD/YYYY' } }, [])
    expect([momentInstant(moment, 'UTC'), slot && momentText(slot, moment, 'then', 'UTC')]).toEqual([instant, day])
  })

  it('gives the two ends of a range to the two parameters', () => {
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

  it('writes a time as the examples do', () => {
    const prompt = 'book it at 14:30'
    expect(valuesOf({ time: { type: 'string', description: 'Time (e.g., 09:00)' } }, prompt)).toEqual({ time: '14:30' })
    expect(valuesOf({ time: { type: 'string', description: 'Time (e.g., 09:00 AM)' } }, prompt)).toEqual({ time: '02:30 PM' })
  })
})

describe('numbers', () => {
  it.each<[Properties[string], string, unknown]>([
    [{ type: 'number' }, 'a width of 1,250.5', 1250.5],
    [{ type: 'integer' }, 'a width of twenty-five', 25],
    [{ type: 'integer' }, 'a width of 5.5', undefined],
    [{ type: 'integer', maximum: 10 }, 'a width of 50', undefined],
    [{ type: 'number', description: 'The share, such as 0.5' }, 'a width of 20%', 0.2],
    [{ type: 'integer', description: '1 small, 2 large' }, 'a large width', 2],
  ])('%j: %s', (schema, prompt, expected) => {
    expect(valuesOf({ width: schema }, prompt)).toEqual(expected === undefined ? {} : { width: expected })
  })

  it('go by name to the parameters, in whatever order they are told', () => {
    const number = { type: 'number' } as const
    const properties = { length: number, width: number, depth: number }
    expect(valuesOf(properties, 'a trench with a depth of 7.7, a width of 44.8 and a length of 19.2')).toEqual({
      depth: 7.7,
      width: 44.8,
      length: 19.2,
    })
  })
})

describe('choices', () => {
  const state = { type: 'string', enum: ['open', 'closed', 'desc'] } as const
  it.each<[string, unknown]>([
    ['list closed ones', 'closed'],
    ['sort descending', 'desc'],
    ['Open a window', undefined],
    ['please open it', undefined],
    ['the ones whose state is open', 'open'],
    ['nothing of it', undefined],
  ])('%s', (prompt, expected) => {
    expect(valuesOf({ state }, prompt)).toEqual(expected === undefined ? {} : { state: expected })
  })

  it('takes examples of the description as they are written there', () => {
    expect(valuesOf({ level: { type: 'string', description: 'How hard it is (e.g., easy, hard)' } }, 'play a hard level')).toEqual({
      level: 'hard',
    })
    expect(valuesOf({ country: { type: 'string', description: 'Country (e.g., USA, UK)' } }, 'laws in the United States')).toEqual({
      country: 'USA',
    })
  })
})

describe('true and false', () => {
  const flag = { type: 'boolean' } as const
  it.each<[string, string, unknown]>([
    ['is_private', 'create a private channel', true],
    ['is_private', 'create a public channel', false],
    ['is_private', 'create a channel', undefined],
    ['notify', "create it and don't notify anyone", false],
    ['notify', 'create it and notify all', true],
    ['disable_notification', 'send it without notification', true],
    ['waiting_room', 'create it with a waiting room', true],
    ['waiting_room', 'create it with no waiting room', false],
  ])('%s: %s', (name, prompt, expected) => {
    expect(valuesOf({ [name]: flag }, prompt)).toEqual(expected === undefined ? {} : { [name]: expected })
  })
})

describe('lists and objects', () => {
  const texts = { type: 'array', items: { type: 'string' } } as const
  it.each<[Properties[string], string, unknown]>([
    [texts, 'with the labels bug and docs', ['bug', 'docs']],
    [texts, 'with the labels "a b", "c" and "d"', ['a b', 'c', 'd']],
    [texts, 'with the label security', ['security']],
    [{ type: 'array', items: { type: 'integer' } }, 'with the labels 1, 2 and 3', [1, 2, 3]],
    [{ type: 'array', items: { type: 'string', enum: ['red', 'blue'] } }, 'with the labels red and blue', ['red', 'blue']],
  ])('%j: %s', (schema, prompt, expected) => {
    expect(valuesOf({ labels: schema }, prompt)).toEqual({ labels: expected })
  })

  it('fills the properties of an object', () => {
    const address = {
      ...({ type: 'object', required: ['city'] } as const),
      properties: { street: { type: 'string' }, city: { type: 'string' }, zip_code: { type: 'string' } },
    } as const
    expect(valuesOf({ address }, 'ship to 456 Elm Street, Los Angeles, CA, 90012')).toEqual({
      address: { street: '456 Elm Street', city: 'Los Angeles', zip_code: '90012' },
    })
  })

  it('leaves an object out that would not be valid', () => {
    const place = {
      type: 'object',
      required: ['lat', 'name'],
      properties: { lat: { type: 'number' }, name: { type: 'string', pattern: '^x' } },
    } as const
    expect(valuesOf({ place }, 'at the lat 52.5')).toEqual({})
  })

  it('makes objects of addresses where a list wants them', () => {
    const to = {
      type: 'array',
      items: { type: 'object', required: ['email'], properties: { email: { type: 'string', format: 'email' } } },
    } as const
    expect(valuesOf({ to }, 'send it to ada@example.com and bob@example.com')).toEqual({
      to: [{ email: 'ada@example.com' }, { email: 'bob@example.com' }],
    })
  })
})

describe('what is not said', () => {
  it('takes the default of a required parameter only', () => {
    const properties = { unit: { type: 'string', default: 'km' }, page: { type: 'integer', default: 1 } } as const
    expect(fill(properties, 'please', { optional: ['page'] })).toEqual({
      unit: { value: 'km', origin: { from: 'default' }, confidence: expect.any(Number) },
    })
  })

  it.each(['send an email', 'send it to joe', 'send it tomorrow'])('is no e-mail address: %s', (prompt) => {
    expect(valuesOf({ to: { type: 'string', format: 'email' } }, prompt)).toEqual({})
  })
})

it('says where in the prompt a value stands', () => {
  const prompt = 'add the contact ada@example.com'
  expect(fill({ email: { type: 'string', format: 'email' } }, prompt)).toMatchObject({
    email: { value: 'ada@example.com', origin: { from: 'prompt', span: [16, 31] } },
  })
})
