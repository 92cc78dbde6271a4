import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { AppFile, FunctionFile } from '../src/file/app-file.ts'
import type { Cursor } from '../src/index.ts'
import { builtInFunction } from './built-in-accounts.ts'

const FOLDER = join(__dirname, '../apps')

/** All functions of the built-in apps, as the files have them. */
const FUNCTIONS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.yaml'))
  .map((file): AppFile => parse(readFileSync(join(FOLDER, file), 'utf8'), { maxAliasCount: -1 }))
  .flatMap((app) => Object.entries(app.functions).map(([phrase, fn]) => ({ app: app.name, phrase, fn })))

/** Returns the names of the functions of the built-in apps for which `holds` is false. */
function except(chosen: (phrase: string, fn: FunctionFile) => boolean, holds: (app: string, phrase: string, fn: FunctionFile) => boolean) {
  const found = FUNCTIONS.filter(({ phrase, fn }) => chosen(phrase, fn))
  expect(found.length).toBeGreaterThan(0)
  return found.filter(({ app, phrase, fn }) => !holds(app, phrase, fn)).map(({ app, phrase }) => `${app}-${phrase}`)
}

it('returns an empty list where a built-in app leaves an empty list out', () => {
  const lists = (phrase: string, { response, type }: FunctionFile) =>
    type === 'QUERY' && /^(list|search)-/.test(phrase) && response?.output !== undefined
  const isEmpty = (app: string, phrase: string, { response }: FunctionFile) => {
    const around = (response?.output ?? '').split('/').slice(1, -1)
    const body = around.reduceRight<object>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), { next: 'x' })
    const { output } = builtInFunction(app, phrase).readResponse(200, body, null)
    return Array.isArray(output) && output.length === 0
  }
  expect(except(lists, isEmpty)).toEqual([])
})

it.each<[string, string, object, Cursor, Cursor | null]>([
  ['zendesk', 'search', { results: Array(100), next_page: 'https://x.example' }, 9, 10],
  ['zendesk', 'search', { results: Array(100), next_page: 'https://x.example' }, 10, null],
  ['zendesk', 'search-users', { users: Array(30), next_page: 'https://x.example' }, 33, null],
  ['hubspot', 'search-contacts', { results: Array(100), paging: { next: { after: '9900' } } }, '9800', '9900'],
  ['hubspot', 'search-contacts', { results: Array(100), paging: { next: { after: '10000' } } }, '9900', null],
  ['box', 'search', { entries: Array(100), limit: 100, total_count: 20_000 }, 9_900, 10_000],
  ['box', 'list-file-comments', { entries: Array(100), limit: 100, total_count: 20_000 }, 10_000, null],
  ['pagerduty', 'list-users', { users: Array(100), more: true }, 9_800, 9_900],
  ['pagerduty', 'list-users', { users: Array(100), more: true }, 9_900, null],
  ['trello', 'list-card-activity', Array(50), 18, 19],
  ['trello', 'list-card-activity', Array(50), 19, null],
  ['trello', 'search-cards', { cards: Array(10) }, 100, null],
])('gives no cursor that the vendor refuses: %s %s', (app, phrase, body, current, next) => {
  const read = builtInFunction(app, phrase).readResponse(200, body, current)
  expect(read.cursor).toBe(next)
  expect(read.nextPageProblem).toEqual(next === null ? expect.stringContaining('there may be more') : undefined)
})
