import { readFile } from 'node:fs/promises'
import { type Received, sendJson } from '@onward/testbed'
import { parse } from 'yaml'
import { appFolder } from '../support/oauth-support.ts'
import { type Functions, openFunctions, type User } from '../support/support.ts'

let onward: Functions
let joe: User

type File = { readonly name: string; readonly functions: Readonly<Record<string, object>> }

const APPS = ['asana', 'dropbox', 'freshdesk', 'intercom', 'monday', 'openai', 'paypal', 'quickbooks', 'salesforce', 'trello']

beforeAll(async () => {
  const files = await Promise.all(APPS.map((name) => readFile(`packages/catalog/apps/${name}.yaml`, 'utf8')))
  onward = await openFunctions({ env: { APPS_PATH: await appFolder(files.map((text) => onOwnServer(parse(text)))) } })
  joe = onward.user('joe')
  const credentials = { url: onward.third.url, token: 'token-0123456789' }
  for (const app of APPS) {
    const path = `/admin/applications/${onward.application.appKey}/connected-accounts`
    await onward.admin('post', path, { user_id: 'joe', app, credentials }).expect(200)
  }
})

const TESTED = /^(list-(accounts|board-cards|cards|customers|disputes|folder|invoices|items|vendors)|search(?!-articles)|create-speech)/

/** Returns the app with its lists, at the address that the account names. */
function onOwnServer({ functions, ...file }: File): object {
  const lists = Object.entries(functions).filter(([phrase]) => TESTED.test(phrase))
  return {
    ...file,
    base_url: '{account.url}',
    hosts: undefined,
    identity: undefined,
    help: undefined,
    auth: { type: 'bearer' },
    account_settings: { url: { title: 'URL', description: 'The address of the server.' } },
    functions: Object.fromEntries(lists.map(([phrase, fn]) => [phrase, { ...fn, sources: undefined }])),
  }
}

type Walked = { readonly outputs: unknown[]; readonly requests: string[] }

/** Follows the cursors from the first page until null. The server gives the responses in order. */
async function walk(name: string, args: object, answers: readonly unknown[]): Promise<Walked> {
  const from = onward.third.received.length
  onward.third.respond((_received, response) => sendJson(response, 200, answers[onward.third.received.length - from - 1]))
  const outputs: unknown[] = []
  for (let cursor: unknown; cursor !== null; ) {
    const { body } = await joe.call(name, cursor === undefined ? args : { ...args, _cursor: cursor }).expect(200)
    outputs.push(body.output)
    cursor = body._cursor
    if (outputs.length > answers.length) throw new Error(`${name} has no end`)
  }
  return { outputs, requests: onward.third.received.slice(from).map(lineOf) }
}

/** Returns the method, the decoded URL and the body; of a GraphQL body only the variables. */
function lineOf({ method, url, body }: Received): string {
  const { variables } = body === '' ? {} : JSON.parse(body)
  return `${method} ${decodeURIComponent(url)} ${variables ? JSON.stringify(variables) : body}`.trim()
}

/** The pages of a list of QuickBooks. A page without records has no list. */
const records = (kind: string) => [
  { QueryResponse: { [kind]: [1, 2] } },
  { QueryResponse: { [kind]: [3] } },
  { QueryResponse: {}, time: 't' },
]

const recordRequests = (query: string) =>
  [1, 3, 4].map((start) => `GET /query?query=${query} startposition ${start} maxresults 2&minorversion=75`)

/** The pages of a search of Intercom. */
const found = (key: string) => [
  { [key]: [1], pages: { next: { page: 2, starting_after: 'W' } }, total_count: 2 },
  { [key]: [2], pages: { next: null }, total_count: 2 },
]

const searchRequests = (path: string) =>
  ['{"per_page":1}', '{"per_page":1,"starting_after":"W"}'].map(
    (pagination) => `POST ${path} {"query":{"field":"email","operator":"=","value":"a@b.c"},"pagination":${pagination}}`,
  )

const intercom = { field: 'email', value: 'a@b.c', per_page: 1 }
const dispute = '/v1/customer/disputes?page_size=1'
const self = { rel: 'self', href: `https://api-m.paypal.com${dispute}` }
const rules = '{"rules":[{"column_id":"name","compare_value":["Acme"],"operator":"contains_text"}]}'
const cards = [[{ id: 'b2' }, { id: 'b3' }], [{ id: 'b1' }], []]
const cardRequests = (path: string) => [path, `${path}&before=b2`, `${path}&before=b1`].map((url) => `GET ${url}`)
const taskFields = 'opt_fields=name,completed,due_on,created_at,assignee.name,memberships.section.name,permalink_url'
const tasks = `GET /workspaces/1/tasks/search?text=logo&sort_by=created_at&limit=1&${taskFields}`
const matches = Array.from({ length: 2_000 }, (_item, id) => ({ id }))
const salesforce = '"q":"Acme","fields":["Id","Name"],"sobjects":[{"name":"Account"}],"defaultLimit":2000'

describe('a list of a built-in app', () => {
  it.each<[name: string, args: object, answers: readonly unknown[], outputs: readonly unknown[], requests: readonly string[]]>([
    [
      'dropbox-list-folder',
      { path: '/A', limit: 2 },
      [
        { entries: [1, 2], cursor: 'c1', has_more: true },
        { entries: [3], cursor: 'c2', has_more: false },
      ],
      [[1, 2], [3]],
      ['POST /files/list_folder {"path":"/A","limit":2}', 'POST /files/list_folder/continue {"cursor":"c1"}'],
    ],
    [
      'dropbox-search-files',
      { query: 'lease', max_results: 1 },
      [
        { matches: [1], cursor: 'c1', has_more: true },
        { matches: [2], has_more: false },
      ],
      [[1], [2]],
      ['POST /files/search_v2 {"query":"lease","options":{"max_results":1}}', 'POST /files/search/continue_v2 {"cursor":"c1"}'],
    ],
    [
      'quickbooks-list-customers',
      { limit: 2 },
      records('Customer'),
      [[1, 2], [3], []],
      recordRequests('select * from Customer orderby DisplayName'),
    ],
    ['quickbooks-list-items', { limit: 2 }, records('Item'), [[1, 2], [3], []], recordRequests('select * from Item orderby Name')],
    [
      'quickbooks-list-accounts',
      { limit: 2 },
      records('Account'),
      [[1, 2], [3], []],
      recordRequests('select * from Account orderby FullyQualifiedName'),
    ],
    [
      'quickbooks-list-vendors',
      { limit: 2 },
      records('Vendor'),
      [[1, 2], [3], []],
      recordRequests('select * from Vendor orderby DisplayName'),
    ],
    [
      'quickbooks-list-invoices',
      { limit: 2 },
      records('Invoice'),
      [[1, 2], [3], []],
      recordRequests('select * from Invoice orderby TxnDate desc'),
    ],
    ['intercom-search-contacts', intercom, found('data'), [[1], [2]], searchRequests('/contacts/search')],
    ['intercom-search-conversations', intercom, found('conversations'), [[1], [2]], searchRequests('/conversations/search')],
    ['intercom-search-tickets', intercom, found('tickets'), [[1], [2]], searchRequests('/tickets/search')],
    [
      'monday-search-items',
      { board_id: '7', values: ['Acme'], limit: 1 },
      ['c1', null].map((cursor) => ({ data: { boards: [{ items_page: { cursor, items: [cursor] } }] } })),
      [['c1'], [null]],
      [`POST /v2 {"boards":["7"],"limit":1,"filter":${rules}}`, 'POST /v2 {"boards":["7"],"limit":1,"cursor":"c1"}'],
    ],
    [
      'paypal-list-disputes',
      { page_size: 1 },
      [
        { items: [1], links: [self, { rel: 'next', href: `${self.href}&next_page_token=t%3D` }] },
        { items: [2], links: [self] },
      ],
      [[1], [2]],
      [`GET ${dispute}`, `GET ${dispute}&next_page_token=t=`],
    ],
    [
      'trello-list-board-cards',
      { idBoard: '5', limit: 2 },
      cards,
      cards,
      cardRequests('/boards/5/cards?filter=visible&fields=all&limit=2'),
    ],
    ['trello-list-cards', { idList: '6', limit: 2 }, cards, cards, cardRequests('/lists/6/cards?fields=all&limit=2')],
    [
      'asana-search-tasks',
      { workspace: '1', text: 'logo', limit: 1 },
      [{ data: [{ created_at: '2026-11-02T10:00:00.500Z' }] }, { data: [{ created_at: '2026-11-01T10:00:00.500Z' }] }, { data: [] }],
      [[{ created_at: '2026-11-02T10:00:00.500Z' }], [{ created_at: '2026-11-01T10:00:00.500Z' }], []],
      [tasks, `${tasks}&created_at.before=2026-11-02T10:00:00.500Z`, `${tasks}&created_at.before=2026-11-01T10:00:00.500Z`],
    ],
    [
      'salesforce-search',
      { text: 'Acme', limit: 2_000 },
      [{ searchRecords: matches }, { searchRecords: matches.slice(0, 1) }],
      [matches, matches.slice(0, 1)],
      [{}, { offset: 2_000 }].map((page) => {
        const offset = JSON.stringify(page).slice(1, -1)
        return `POST /services/data/v62.0/parameterizedSearch {${salesforce}${offset && ','}${offset}}`
      }),
    ],
    [
      'freshdesk-search-tickets',
      { query: 'status:2' },
      Array.from({ length: 10 }, (_item, page) => ({ results: [page + 1], total: 900 })),
      Array.from({ length: 10 }, (_item, page) => [page + 1]),
      Array.from({ length: 10 }, (_item, page) => `GET /search/tickets?query="status:2"${page === 0 ? '' : `&page=${page + 1}`}`),
    ],
  ])('returns all pages of %s', async (name, args, answers, outputs, requests) => {
    expect(await walk(name, args, answers)).toEqual({ outputs, requests })
  })
})

describe('openai-create-speech', () => {
  it('returns the sound and the transcript of a chat model', async () => {
    const audio = { id: 'audio_1', data: 'SUQz', expires_at: 1, transcript: 'Hello.' }
    onward.third.respond((_received, response) =>
      sendJson(response, 200, { choices: [{ message: { role: 'assistant', content: null, audio } }] }),
    )
    const { body } = await joe.call('openai-create-speech', { input: 'Hello.', instructions: 'slowly' }).expect(200)
    expect(body).toEqual({ network_code: 200, output: audio })
    const { url, body: sent } = onward.third.received.at(-1) as Received
    expect([url, JSON.parse(sent)]).toEqual([
      '/chat/completions',
      {
        model: 'gpt-audio-1.5',
        modalities: ['text', 'audio'],
        audio: { voice: 'alloy', format: 'mp3' },
        messages: [
          { role: 'system', content: expect.stringContaining('word for word') },
          { role: 'system', content: 'How to read it: slowly' },
          { role: 'user', content: 'Hello.' },
        ],
      },
    ])
  })
})
