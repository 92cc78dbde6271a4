import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const queries = () => stage.functions.received.map(({ url }) => Object.fromEntries(new URL(url, 'http://log').searchParams))

describe('the options of calls', () => {
  it.each([
    ['2h', '2026-03-10T10:00:00.000Z'],
    ['3d', '2026-03-07T12:00:00.000Z'],
    ['90s', '2026-03-10T11:58:30.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T10:00:00.5Z', '2026-03-01T10:00:00.500Z'],
    ['2026-03-01T10:00+02:00', '2026-03-01T08:00:00.000Z'],
  ])('accepts %s as a time', async (text, time) => {
    answers(stage.functions, { calls: [], _cursor: null })
    await stage.run(['calls', '--since', text])
    expect(queries()).toEqual([{ since: time, page_size: '50' }])
  })

  it('requests internal calls only with --internal', async () => {
    answers(stage.functions, { calls: [], _cursor: null })
    await stage.run(['calls', '--internal'])
    expect(queries()).toEqual([{ internal: 'true', page_size: '50' }])
  })

  it.each([
    ['--since', 'yesterday'],
    ['--since', '5w'],
    ['--until', '2026-02-30'],
    ['--until', '2026-03-01T25:00'],
    ['--until', '10:00'],
    ['--limit', '0'],
    ['--limit', '1.5'],
    ['--outcome', 'lost'],
  ])('refuses %s %s', async (option, text) => {
    const { code, out, err } = await stage.run(['calls', option, text])
    expect([code, out, stage.requests()]).toEqual([2, '', []])
    expect(err).toMatch(/^error: option .* is invalid\..*\n {2}add --help to see .*\n$/)
  })
})
