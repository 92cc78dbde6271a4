import { readWhen } from '../src/shell/read-when.ts'

const NOW = new Date('2026-11-28T13:50:00.000Z')

function read(text: string): string | undefined {
  const when = readWhen(text, NOW, 'UTC')
  const short = (at: Date) => at.toISOString().replace(/:00\.000Z$/, '')
  return when && `${when.rest}|${short(when.since)}|${short(when.until)}`
}

describe('a time in a search', () => {
  it.each([
    ['joe yesterday 14:05', 'joe|2026-11-27T13:50|2026-11-27T14:20'],
    ['yesterday joe 14:05', 'joe|2026-11-27T13:50|2026-11-27T14:20'],
    ['Contact exists yesterday 2pm', 'Contact exists|2026-11-27T13:45|2026-11-27T14:15'],
    ['joe 9:30', 'joe|2026-11-28T09:15|2026-11-28T09:45'],
    ['joe 15:00', 'joe|2026-11-27T14:45|2026-11-27T15:15'],
    ['joe tuesday 9am', 'joe|2026-11-24T08:45|2026-11-24T09:15'],
    ['joe 2 hours ago', 'joe|2026-11-28T11:35|2026-11-28T12:05'],
    ['slack yesterday', 'slack|2026-11-27T00:00|2026-11-28T00:00'],
    ['friday', '|2026-11-27T00:00|2026-11-28T00:00'],
    ['joe 27 nov', 'joe|2026-11-27T00:00|2026-11-28T00:00'],
    ['joe dec 24', 'joe|2025-12-24T00:00|2025-12-25T00:00'],
    ['joe 2026-11-20 08:00', 'joe|2026-11-20T07:45|2026-11-20T08:15'],
    ['joe today 9:00 to 10:00', 'joe|2026-11-28T09:00|2026-11-28T10:00'],
    ['joe last 2 hours', 'joe|2026-11-28T11:50|2026-11-28T13:50'],
    ['last 7 days', '|2026-11-21T13:50|2026-11-28T13:50'],
  ])('is read from %j', (text, expected) => {
    expect(read(text)).toBe(expected)
  })

  it.each([
    'joe',
    'joe.may@example.com',
    'slack-post-message',
    '409',
    'order 5-10',
    'Contact already exists. Existing ID: 51',
    'joe tomorrow 14:05',
    'march of users',
  ])('is not read from %j', (text) => {
    expect(read(text)).toBeUndefined()
  })

  it('is in the time zone that is shown', () => {
    const { since } = readWhen('yesterday 14:05', NOW, 'local') ?? {}
    expect(since).toEqual(new Date(2026, 10, 27, 13, 50))
  })
})
