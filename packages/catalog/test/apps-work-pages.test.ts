import type { Cursor } from '../src/index.ts'
import { builtInFunction, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

/** The variables that a GraphQL function sends. */
function variablesOf(name: string, phrase: string, args: Args, cursor: Cursor | null = null): object {
  return JSON.parse(String(build(builtInFunction(name, phrase), args, workAccount(name), cursor).body)).variables
}

describe('Linear and monday.com', () => {
  it('receive a GraphQL document with the arguments as variables', () => {
    const request = build(builtInFunction('linear', 'archive-issue'), { issue: 'WEB-1' }, workAccount('linear'))
    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.linear.app/graphql',
      headers: { 'content-type': 'application/json', authorization: 'lin_1' },
      body: JSON.stringify({
        query: 'mutation ($id: String!) { issueArchive(id: $id) { success entity { id identifier archivedAt } } }',
        variables: { id: 'WEB-1' },
      }),
    })
  })

  it('receive only the filters that are given', () => {
    expect(variablesOf('linear', 'list-issues', { assigned_to_me: true, state_type: ['started'] })).toEqual({
      first: 50,
      filter: { assignee: { isMe: { eq: true } }, state: { type: { in: ['started'] } } },
    })
    expect(variablesOf('linear', 'update-issue', { issue: 'WEB-1', state_id: 's' })).toEqual({ id: 'WEB-1', input: { stateId: 's' } })
    expect(variablesOf('monday', 'list-boards', {})).toEqual({ state: 'active', limit: 50 })
  })

  it('receive column values as JSON text', () => {
    const variables = variablesOf('monday', 'create-item', { board_id: '1', item_name: 'n', column_values: { status: { label: 'Done' } } })
    expect(variables).toEqual({ board: '1', name: 'n', values: ' {"status":{"label":"Done"}}', labels: false })
    expect(variablesOf('monday', 'create-item', { board_id: '1', item_name: 'n' })).toEqual({ board: '1', name: 'n', labels: false })
  })
})

describe('the first scheme of each app', () => {
  it.each<[string, string, Args, object]>([
    ['airtable', 'list-bases', {}, { authorization: 'Bearer T' }],
    ['asana', 'list-workspaces', {}, { authorization: 'Bearer T' }],
    ['calendly', 'get-current-user', {}, { authorization: 'Bearer T' }],
    ['clickup', 'list-workspaces', {}, { authorization: 'pk_1' }],
    ['discord', 'list-servers', {}, { authorization: 'Bot B', 'user-agent': 'DiscordBot (https://discord.com/developers, 1.0)' }],
    ['jira', 'get-current-user', {}, { authorization: `Basic ${btoa('a@b.c:P')}` }],
    ['monday', 'get-current-user', {}, { 'content-type': 'application/json', authorization: 'M', 'api-version': '2026-10' }],
    ['notion', 'list-users', {}, { authorization: 'Bearer T', 'notion-version': '2025-09-03' }],
    ['telegram', 'get-me', {}, {}],
    ['trello', 'list-workspaces', {}, {}],
    ['wordpress', 'get-current-user', {}, { authorization: `Basic ${btoa('ada:abcd efgh')}` }],
    ['zoom', 'get-user', {}, { authorization: 'Bearer T' }],
  ])('signs requests to %s', (name, phrase, args, headers) => {
    expect(build(builtInFunction(name, phrase), args, workAccount(name)).headers).toEqual(headers)
  })

  it('is followed by OAuth: without Bearer in monday.com, with Bearer in ClickUp', () => {
    const headersOf = (name: string) => build(builtInFunction(name, 'get-current-user'), {}, { access_token: 'T' }).headers
    expect(headersOf('monday').authorization).toBe('T')
    expect(headersOf('clickup').authorization).toBe('Bearer T')
  })
})

const comments = Array.from({ length: 25 }, (_item, index) => ({ id: `c${index}`, date: `${1000 - index}` }))

describe('the pages of the apps for work', () => {
  it.each<[string, string, object, Cursor | null]>([
    ['airtable', 'list-records', { records: [1], offset: 'o' }, 'o'],
    ['airtable', 'list-records', { records: [1] }, null],
    ['asana', 'list-projects', { data: [1], next_page: { offset: 'o' } }, 'o'],
    ['asana', 'list-projects', { data: [1], next_page: null }, null],
    ['calendly', 'list-events', { collection: [1], pagination: { next_page_token: 't' } }, 't'],
    ['clickup', 'list-tasks', { tasks: [1] }, 1],
    ['clickup', 'list-tasks', { tasks: [] }, null],
    ['clickup', 'list-comments', { comments }, { start: '976', start_id: 'c24' }],
    ['clickup', 'list-comments', { comments: comments.slice(1) }, null],
    ['discord', 'list-messages', [{ id: '9' }, { id: '8' }], '8'],
    ['discord', 'list-members', [{ user: { id: '5' } }], '5'],
    ['jira', 'list-projects', { values: [1, 2], total: 3 }, 2],
    ['jira', 'list-projects', { values: [1, 2], total: 2 }, null],
    ['jira', 'search-issues', { issues: [1], nextPageToken: 't' }, 't'],
    ['jira', 'list-issue-types', { issueTypes: [1], total: 2 }, 1],
    ['jira', 'list-issue-types', { issueTypes: [1], total: 1 }, null],
    ['linear', 'list-teams', { data: { teams: { nodes: [1], pageInfo: { hasNextPage: true, endCursor: 'e' } } } }, 'e'],
    ['linear', 'list-teams', { data: { teams: { nodes: [1], pageInfo: { hasNextPage: false, endCursor: 'e' } } } }, null],
    ['monday', 'list-items', { data: { boards: [{ items_page: { cursor: 'c', items: [1] } }] } }, 'c'],
    ['monday', 'list-users', { data: { users: [1] } }, 2],
    ['notion', 'list-users', { results: [1], next_cursor: 'n' }, 'n'],
    ['trello', 'list-card-activity', [1], 1],
    ['typeform', 'list-forms', { items: [1], page_count: 2 }, 2],
    ['typeform', 'list-forms', { items: [1], page_count: 1 }, null],
    ['typeform', 'list-responses', { items: [{ token: 'a' }, { token: 'b' }] }, 'b'],
    ['webflow', 'list-items', { items: [1], pagination: { total: 2 } }, 1],
    ['webflow', 'list-items', { items: [1], pagination: { total: 1 } }, null],
    ['zoom', 'list-users', { users: [1], page_count: 3, next_page_token: 'n' }, 'n'],
    ['zoom', 'list-users', { users: [1], page_count: 1, next_page_token: '' }, null],
    ['zoom', 'list-meetings', { meetings: [1], next_page_token: 'n' }, 'n'],
    ['zoom', 'list-registrants', { registrants: [1], next_page_token: 'n' }, 'n'],
    ['zoom', 'list-recordings', { meetings: [1], next_page_token: '' }, null],
  ])('of %s in %s continue after %j with %j', (name, phrase, body, cursor) => {
    expect(builtInFunction(name, phrase).readResponse(200, body, null).cursor).toEqual(cursor)
  })

  it.each(['search-issues', 'search-repositories'])('of %s in GitHub end where the Link header does', (phrase) => {
    const fn = builtInFunction('github', phrase)
    const link = '<https://api.github.com/search?q=a&page=2>; rel="next", <https://api.github.com/search?q=a&page=34>; rel="last"'
    expect(fn.readResponse(200, { items: [1], total_count: 5_000 }, null, { link }).cursor).toEqual({ page: '2' })
    expect(fn.readResponse(200, { items: [1], total_count: 5_000 }, { page: '34' }, { link: '' }).cursor).toBeNull()
  })

  it('of WordPress continue with the Link header', () => {
    const link =
      '<https://example.com/wp-json/wp/v2/posts?page=1>; rel="prev", <https://example.com/wp-json/wp/v2/posts?page=3>; rel="next"'
    const fn = builtInFunction('wordpress', 'list-posts')
    expect(fn.readResponse(200, [1], { page: '2' }, { link }).cursor).toEqual({ page: '3' })
    expect(fn.readResponse(200, [1], { page: '3' }, { link: '' }).cursor).toBeNull()
    expect(build(fn, {}, workAccount('wordpress'), { page: '3' }).url).toMatch(/[?&]page=3(&|$)/)
  })

  it('of GraphQL functions are requested by variables', () => {
    expect(variablesOf('linear', 'list-teams', {}, 'e')).toEqual({ first: 50, after: 'e' })
    expect(variablesOf('monday', 'list-items', { board_id: '1' }, 'c')).toEqual({ boards: ['1'], limit: 50, cursor: 'c' })
    expect(variablesOf('monday', 'list-users', {}, 2)).toEqual({ limit: 100, page: 2 })
  })
})
