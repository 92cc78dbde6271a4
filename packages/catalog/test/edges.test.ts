import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { AppFile, FunctionFile } from '../src/file/app-file.ts'
import type { Cursor } from '../src/index.ts'
import { toolOf } from '../src/index.ts'
import { builtInFunction, businessAccount, cloudAccount, workAccount } from './built-in-accounts.ts'
import { build, problems } from './sample-app.ts'

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
  const isEmpty = (app: string, phrase: string, { response }: FunctionFile) => {
    const around = (response?.output ?? '').split('/').slice(1, -1)
    const body = around.reduceRight<object>((inner, step) => ({ [step]: inner }), { next: 'x' })
    const { output } = builtInFunction(app, phrase).readResponse(200, body, null)
    return Array.isArray(output) && output.length === 0
  }
  expect(except((_phrase, { response }) => response?.optional === true, isEmpty)).toEqual([])
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

it('says of each list that an update takes whether it replaces the present one', () => {
  const updates = (phrase: string, { type, request }: FunctionFile) =>
    type === 'ACTION' && /^(update|edit|set)-/.test(phrase) && (request.method !== 'PUT' || !phrase.includes('range'))
  const isClear = (_app: string, _phrase: string, { parameters }: FunctionFile) =>
    Object.entries(parameters?.properties ?? {}).every(
      ([name, { type, description }]) => type !== 'array' || /^(add|remove)_/.test(name) || /replace/.test(description),
    )
  expect(except(updates, isClear)).toEqual([])
})

describe('the fields that an update empties', () => {
  it.each<[string, string, object, object]>([
    ['asana', 'update-task', { task: '1', name: 'n', clear: ['due_on'] }, { data: { name: 'n', due_on: null } }],
    ['box', 'share-file', { file_id: '1', access: 'open', clear: ['password'] }, { shared_link: { access: 'open', password: null } }],
    ['hubspot', 'update-deal', { deal_id: '1', clear: ['owner_id', 'amount'] }, { properties: { amount: '', hubspot_owner_id: '' } }],
    ['intercom', 'update-contact', { contact_id: '1', clear: ['owner_id'] }, { owner_id: null }],
    ['jira', 'update-issue', { issue: 'A-1', clear: ['due_date'] }, { fields: { duedate: null } }],
    ['trello', 'update-card', { idCard: '1', clear: ['due'] }, { due: null }],
    ['linear', 'update-issue', { issue: '1', clear: ['assignee_id'] }, { variables: { id: '1', input: { assigneeId: null } } }],
    [
      'shopify',
      'set-variant-price',
      { product_id: '1', variant_id: '2', price: '3', clear: ['compare_at_price'] },
      { variables: { productId: '1', variants: [{ id: '2', price: '3', compareAtPrice: null }] } },
    ],
  ])('of %s by %s are sent as the vendor asks', (app, phrase, args, body) => {
    const account = { ...businessAccount, ...cloudAccount, ...workAccount(app) }
    const request = build(builtInFunction(app, phrase), { ...args }, account)
    expect(JSON.parse(String(request.body))).toEqual('variables' in body ? expect.objectContaining(body) : body)
  })

  it('are an optional list of names in the tools of all model vendors', () => {
    const fn = builtInFunction('asana', 'update-task')
    expect(fn.parameters.properties.clear).toMatchObject({ type: 'array', items: { enum: ['assignee', 'due_on'] } })
    expect(toolOf(fn, 'openai')).toMatchObject({ strict: true, parameters: { properties: { clear: { type: ['array', 'null'] } } } })
  })

  it('must not have a value too', () => {
    const fn = builtInFunction('asana', 'update-task')
    const both = { task: '1', due_on: '2026-03-11', clear: ['due_on'] }
    expect(problems(fn, both, { token: 'T' })).toEqual(['clear: due_on also has a value; leave one of them out'])
  })
})

it('names only functions that exist in the descriptions', () => {
  const names = new Set(FUNCTIONS.map(({ app, phrase }) => `${app}-${phrase}`))
  const apps = [...new Set(FUNCTIONS.map(({ app }) => app))].join('|')
  const found = FUNCTIONS.flatMap(({ fn }) => fn.description.match(new RegExp(`\\b(?:${apps})-[a-z][a-z-]+`, 'g')) ?? [])
  expect(found.length).toBeGreaterThan(10)
  expect(found.filter((name) => !names.has(name))).toEqual([])
})

describe('a function of the most wanted apps without a shape of its output', () => {
  const mostWanted = Object.keys(parse(readFileSync(join(FOLDER, '../wanted.yaml'), 'utf8')))
  const withoutShape = (holds: (phrase: string, fn: FunctionFile) => boolean) =>
    FUNCTIONS.filter(({ app, phrase, fn }) => mostWanted.includes(app) && fn.output === undefined && holds(phrase, fn)).map(
      ({ app, phrase }) => `${app}-${phrase}`,
    )
  const isQuery = (_phrase: string, { type }: FunctionFile) => type === 'QUERY'

  it('that reads something returns a file', () => {
    expect(withoutShape(isQuery)).toEqual([
      'github-read-file',
      'github-get-pull-request-diff',
      'google-drive-download-file',
      'google-drive-export-document',
      'jira-download-attachment',
      'outlook-mail-download-attachment',
    ])
  })

  // As the vendors' documents say: 201, 202 or 204 without a body, and an empty object for those of Asana and the card of Trello.
  it('that changes something gets a response without content', () => {
    expect(withoutShape((phrase, fn) => !isQuery(phrase, fn))).toEqual([
      'asana-delete-task',
      'asana-move-task-to-section',
      'asana-add-task-to-project',
      'asana-add-followers',
      'asana-add-tag-to-task',
      'github-run-workflow',
      'github-rerun-failed-jobs',
      'google-calendar-delete-event',
      'google-drive-remove-permission',
      'google-drive-delete-file',
      'jira-update-issue',
      'jira-delete-issue',
      'jira-assign-issue',
      'jira-transition-issue',
      'jira-link-issues',
      'jira-add-issues-to-sprint',
      'microsoft-teams-add-chat-member',
      'outlook-mail-send-message',
      'outlook-mail-send-draft',
      'outlook-mail-reply-to-message',
      'outlook-mail-reply-all-to-message',
      'outlook-mail-forward-message',
      'outlook-mail-delete-message',
      'outlook-mail-delete-event',
      'salesforce-update-record',
      'salesforce-delete-record',
      'trello-delete-card',
    ])
  })
})
