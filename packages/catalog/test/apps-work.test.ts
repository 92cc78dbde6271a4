import { builtInFunction, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

describe('the apps for teams and planning', () => {
  it.each<[string, string, Args, string, unknown]>([
    [
      'airtable',
      'list-records',
      { base_id: 'app1', table: 'My Table', filter_by_formula: "{City} = 'Rome'", sort: [{ field: 'Name', direction: 'asc' }] },
      'POST https://api.airtable.com/v0/app1/My%20Table/listRecords',
      { filterByFormula: "{City} = 'Rome'", sort: [{ field: 'Name', direction: 'asc' }], pageSize: 100 },
    ],
    [
      'airtable',
      'upsert-records',
      { base_id: 'app1', table: 'tbl1', merge_on: ['Email'], records: [{ fields: { Email: 'a@b.c' } }] },
      'PATCH https://api.airtable.com/v0/app1/tbl1',
      { performUpsert: { fieldsToMergeOn: ['Email'] }, records: [{ fields: { Email: 'a@b.c' } }], typecast: false },
    ],
    [
      'asana',
      'create-task',
      { project: '1', name: 'n', due_on: '2026-03-02' },
      'POST https://app.asana.com/api/1.0/tasks',
      { data: { projects: ['1'], name: 'n', due_on: '2026-03-02' } },
    ],
    [
      'asana',
      'search-tasks',
      { workspace: '5', text: 'a b', assignee: 'me', due_before: '2026-03-02' },
      'GET https://app.asana.com/api/1.0/workspaces/5/tasks/search?text=a%20b&assignee.any=me&due_on.before=2026-03-02&sort_by=created_at&limit=100&opt_fields=name%2Ccompleted%2Cdue_on%2Ccreated_at%2Cassignee.name%2Cmemberships.section.name%2Cpermalink_url',
      null,
    ],
    [
      'calendly',
      'book-appointment',
      {
        event_type: 'https://api.calendly.com/event_types/E',
        start_time: '2026-03-02T09:00:00Z',
        name: 'A',
        email: 'a@b.c',
        timezone: 'UTC',
      },
      'POST https://api.calendly.com/invitees',
      {
        event_type: 'https://api.calendly.com/event_types/E',
        start_time: '2026-03-02T09:00:00Z',
        invitee: { name: 'A', email: 'a@b.c', timezone: 'UTC' },
      },
    ],
    [
      'calendly',
      'list-events',
      { user: 'https://api.calendly.com/users/U', status: 'active' },
      'GET https://api.calendly.com/scheduled_events?user=https%3A%2F%2Fapi.calendly.com%2Fusers%2FU&status=active&sort=start_time%3Aasc&count=20',
      null,
    ],
    [
      'clickup',
      'list-tasks',
      { list_id: '9', statuses: ['to do', 'done'] },
      'GET https://api.clickup.com/api/v2/list/9/task?statuses%5B%5D=to%20do&statuses%5B%5D=done&include_closed=false&subtasks=false&order_by=created',
      null,
    ],
    [
      'clickup',
      'update-task',
      { task_id: 'x1', status: 'done', add_assignees: [3] },
      'PUT https://api.clickup.com/api/v2/task/x1',
      { status: 'done', assignees: { add: [3] } },
    ],
    [
      'jira',
      'create-issue',
      { project: 'WEB', issue_type: '10001', summary: 's', description: 'd', parent: 'WEB-1' },
      'POST https://acme.atlassian.net/rest/api/2/issue',
      {
        fields: { project: { key: 'WEB' }, issuetype: { id: '10001' }, summary: 's', description: 'd', parent: { key: 'WEB-1' } },
      },
    ],
    [
      'jira',
      'search-issues',
      { jql: 'assignee = me', fields: ['summary', 'status'] },
      'GET https://acme.atlassian.net/rest/api/2/search/jql?jql=assignee%20%3D%20me&fields=summary%2Cstatus&maxResults=50',
      null,
    ],
    [
      'jira',
      'transition-issue',
      { issue: 'WEB-1', transition: '31', comment: 'h2. Done\n* c' },
      'POST https://acme.atlassian.net/rest/api/2/issue/WEB-1/transitions',
      { transition: { id: '31' }, update: { comment: [{ add: { body: 'h2. Done\n* c' } }] } },
    ],
    [
      'notion',
      'append-to-page',
      { page_id: 'p', text: 't' },
      'PATCH https://api.notion.com/v1/blocks/p/children',
      { children: [{ type: 'paragraph', paragraph: { rich_text: [{ type: 'text', text: { content: 't' } }] } }] },
    ],
    ['notion', 'list-comments', { page_id: 'p' }, 'GET https://api.notion.com/v1/comments?block_id=p&page_size=100', null],
    [
      'trello',
      'create-card',
      { idList: 'l', name: 'n', idLabels: 'a,b' },
      'POST https://api.trello.com/1/cards?key=K&token=T',
      { idList: 'l', name: 'n', idLabels: 'a,b' },
    ],
    ['trello', 'archive-card', { idCard: 'c' }, 'PUT https://api.trello.com/1/cards/c?key=K&token=T', { closed: 'true' }],
    [
      'typeform',
      'update-form',
      { form_id: 'f', is_public: false },
      'PATCH https://api.typeform.com/forms/f',
      [{ op: 'replace', path: '/settings/is_public', value: false }],
    ],
    [
      'typeform',
      'create-form',
      { title: 't', workspace_id: 'w' },
      'POST https://api.typeform.com/forms',
      { title: 't', workspace: { href: 'https://api.typeform.com/workspaces/w' } },
    ],
    [
      'webflow',
      'create-item',
      { collection_id: 'c', field_data: { name: 'n' }, is_draft: true },
      'POST https://api.webflow.com/v2/collections/c/items',
      { fieldData: { name: 'n' }, isDraft: true, isArchived: false },
    ],
    ['webflow', 'update-page', { page_id: 'p', seo_title: 't' }, 'PUT https://api.webflow.com/v2/pages/p', { seo: { title: 't' } }],
    [
      'wordpress',
      'list-posts',
      { status: ['draft', 'pending'], categories: [1, 2] },
      'GET https://example.com/blog/wp-json/wp/v2/posts?status=draft%2Cpending&categories=1%2C2&orderby=date&order=desc&per_page=20',
      null,
    ],
    [
      'wordpress',
      'create-post',
      { title: 't', content: 'c', tags: [4] },
      'POST https://example.com/blog/wp-json/wp/v2/posts',
      { title: 't', content: 'c', status: 'draft', tags: [4] },
    ],
    [
      'zoom',
      'create-meeting',
      { topic: 't', start_time: '2026-03-02T14:00:00Z', waiting_room: true },
      'POST https://api.zoom.us/v2/users/me/meetings',
      { topic: 't', type: 2, start_time: '2026-03-02T14:00:00Z', duration: 60, settings: { waiting_room: true } },
    ],
    [
      'zoom',
      'list-recordings',
      { from: '2026-03-01', to: '2026-03-31' },
      'GET https://api.zoom.us/v2/users/me/recordings?from=2026-03-01&to=2026-03-31&page_size=30',
      null,
    ],
  ])('build in %s the request of %s with %j', (name, phrase, args, line, body) => {
    const request = build(builtInFunction(name, phrase), args, workAccount(name))
    expect(`${request.method} ${request.url}`).toBe(line)
    expect(JSON.parse(String(request.body ?? null))).toEqual(body)
  })
})
