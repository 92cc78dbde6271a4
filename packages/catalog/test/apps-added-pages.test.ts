import { builtInFunction } from './built-in-accounts.ts'

/** A page that another one follows, the cursor of it, the last page, and a list without items, as the vendors send them. */
type Pages = readonly [app: string, phrase: string, page: object, cursor: unknown, last: object, empty: object]

const counted = (key: string) => [{ [key]: [{}, {}], count: 3 }, 2, { [key]: [{}], count: 1 }, { [key]: [], count: 0 }] as const
const tokens = (key: string) => [{ [key]: [{}], nextPageToken: 'n' }, 'n', { [key]: [{}] }, {}] as const
const byCursor = (key: string) => [{ [key]: [{}], cursor: 'c' }, 'c', { [key]: [{}] }, {}] as const
const metaToken = [{ data: [{}], meta: { next_token: 't' } }, 't', { data: [{}], meta: {} }, { meta: { result_count: 0 } }] as const

const PAGES: readonly Pages[] = [
  ['bigquery', 'list-datasets', ...tokens('datasets')],
  ['bigquery', 'get-query-results', { rows: [{}], pageToken: 'n' }, 'n', { rows: [{}] }, { totalRows: '0' }],
  [
    'bitbucket',
    'list-commits',
    { values: [{}], next: 'https://api.bitbucket.org/2.0/x?page=2' },
    '/2.0/x?page=2',
    { values: [{}] },
    { values: [] },
  ],
  ['brevo', 'list-contacts', ...counted('contacts')],
  ['brevo', 'list-lists', { lists: [{}], count: 2 }, 1, { lists: [{}], count: 1 }, { count: 0 }],
  [
    'cal-com',
    'list-bookings',
    { data: [{}], pagination: { hasNextPage: true } },
    1,
    { data: [{}], pagination: { hasNextPage: false } },
    { data: [], pagination: { hasNextPage: false } },
  ],
  ['coda', 'list-rows', { items: [{}], nextPageToken: 'n' }, 'n', { items: [{}] }, { items: [] }],
  [
    'excel',
    'find-workbooks',
    { value: [{}], '@odata.nextLink': 'https://graph.microsoft.com/v1.0/me/drive?$skiptoken=s' },
    '/v1.0/me/drive?$skiptoken=s',
    { value: [{}] },
    { value: [] },
  ],
  ['google-maps', 'search-places', ...tokens('places')],
  ['google-meet', 'list-conferences', ...tokens('conferenceRecords')],
  [
    'posthog',
    'list-feature-flags',
    { results: [{}], next: 'https://us.posthog.com/api/x?limit=1&offset=1' },
    { offset: '1' },
    { results: [{}], next: null },
    { results: [], next: null },
  ],
  ['square', 'list-payments', ...byCursor('payments')],
  ['square', 'search-orders', ...byCursor('orders')],
  ['twitter', 'search-posts', ...metaToken],
  ['twitter', 'list-followers', ...metaToken],
  ['zoho-crm', 'list-records', { data: [{}], info: { next_page_token: 'n' } }, 'n', { data: [{}], info: {} }, { data: [], info: {} }],
  [
    'zoho-crm',
    'search-records',
    { data: [{}], info: { more_records: true } },
    2,
    { data: [{}], info: { more_records: false } },
    { data: [], info: { more_records: false } },
  ],
]

it.each(PAGES)('%s-%s goes on after a page, and ends after the last one and after none', (app, phrase, page, cursor, last, empty) => {
  const fn = builtInFunction(app, phrase)
  const read = (body: object) => fn.readResponse(200, body, null)
  expect(read(page).cursor).toEqual(cursor)
  expect(read(last)).toMatchObject({ output: [{}], cursor: null })
  expect(read(empty)).toEqual({ output: [], cursor: null })
})

it.each([
  ['attio', 'list-notes', 'data'],
  ['fireflies', 'list-transcripts', undefined],
  ['linkedin', 'list-posts', 'elements'],
  ['servicenow', 'list-incidents', 'result'],
])('%s-%s goes on until a page is empty, because the app does not say how many there are', (app, phrase, key) => {
  const fn = builtInFunction(app, phrase)
  const body = (items: object[]) => (key === undefined ? { data: { transcripts: items } } : { [key]: items })
  expect(fn.readResponse(200, body([{}, {}]), 2).cursor).toBe(4)
  expect(fn.readResponse(200, body([]), 4)).toEqual({ output: [], cursor: null })
})
