import { builtInFunction, businessAccount, cloudAccount, workAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const github = 'https://api.github.com/repos/acme/web'
const repo = { owner: 'acme', repo: 'web' }
const drive = 'https://www.googleapis.com/drive/v3/files'
const graph = 'https://graph.microsoft.com/v1.0/me'
const contactFields = 'id%2CdisplayName%2CgivenName%2Csurname%2CemailAddresses%2CbusinessPhones%2CmobilePhone%2CcompanyName%2CjobTitle'

/** Requests of the functions that people need after the first ones: [function, arguments, method and URL, body]. */
describe('the deeper functions of the built-in apps', () => {
  it.each<[string, Args, string, unknown]>([
    ['github list-files', repo, `GET ${github}/git/trees/HEAD?recursive=1`, null],
    ['github read-file', { ...repo, path: 'src/a b.ts', ref: 'next' }, `GET ${github}/contents/src%2Fa%20b.ts?ref=next`, null],
    [
      'github write-file',
      { ...repo, path: 'a.md', content: 'é', message: 'm', branch: 'b', sha: 's' },
      `PUT ${github}/contents/a.md`,
      { message: 'm', content: 'w6k=', branch: 'b', sha: 's' },
    ],
    ['github list-commits', { ...repo, sha: 'main', author: 'jo' }, `GET ${github}/commits?sha=main&author=jo&per_page=30`, null],
    ['github create-branch', { ...repo, branch: 'x/y', sha: 's' }, `POST ${github}/git/refs`, { ref: 'refs/heads/x/y', sha: 's' }],
    ['github search-code', { query: 'a repo:b/c' }, 'GET https://api.github.com/search/code?q=a%20repo%3Ab%2Fc&per_page=30', null],
    ['github list-pull-request-files', { ...repo, pull_number: 3 }, `GET ${github}/pulls/3/files?per_page=30`, null],
    [
      'github review-pull-request',
      { ...repo, pull_number: 3, event: 'COMMENT', body: 'b', comments: [{ path: 'a.ts', line: 4, body: 'c' }] },
      `POST ${github}/pulls/3/reviews`,
      { event: 'COMMENT', body: 'b', comments: [{ path: 'a.ts', line: 4, body: 'c' }] },
    ],
    [
      'github request-reviewers',
      { ...repo, pull_number: 3, reviewers: ['jo'] },
      `POST ${github}/pulls/3/requested_reviewers`,
      { reviewers: ['jo'] },
    ],
    ['github list-workflow-runs', { ...repo, status: 'failure' }, `GET ${github}/actions/runs?status=failure&per_page=30`, null],
    [
      'github run-workflow',
      { ...repo, workflow_id: 'deploy.yml', ref: 'main', inputs: { env: 'x' } },
      `POST ${github}/actions/workflows/deploy.yml/dispatches`,
      { ref: 'main', inputs: { env: 'x' } },
    ],
    ['github rerun-failed-jobs', { ...repo, run_id: 7 }, `POST ${github}/actions/runs/7/rerun-failed-jobs`, null],
    [
      'stripe update-customer',
      { customer_id: 'cus_1', phone: '1', default_payment_method: 'pm_1' },
      'POST https://api.stripe.com/v1/customers/cus_1',
      'phone=1&invoice_settings%5Bdefault_payment_method%5D=pm_1',
    ],
    [
      'stripe create-payment',
      { amount: 500, currency: 'eur', customer: 'cus_1', confirm: true },
      'POST https://api.stripe.com/v1/payment_intents',
      'amount=500&currency=eur&customer=cus_1&confirm=true',
    ],
    [
      'stripe create-checkout-session',
      { price: 'price_1', success_url: 'https://a.b/c' },
      'POST https://api.stripe.com/v1/checkout/sessions',
      'mode=payment&line_items%5B0%5D%5Bprice%5D=price_1&line_items%5B0%5D%5Bquantity%5D=1&success_url=https%3A%2F%2Fa.b%2Fc',
    ],
    ['stripe create-product', { name: 'n' }, 'POST https://api.stripe.com/v1/products', 'name=n'],
    [
      'stripe create-price',
      { product: 'prod_1', amount: 9, currency: 'eur', interval: 'year' },
      'POST https://api.stripe.com/v1/prices',
      'product=prod_1&unit_amount=9&currency=eur&recurring%5Binterval%5D=year',
    ],
    [
      'stripe update-subscription',
      { subscription_id: 'sub_1', item_id: 'si_1', quantity: 3 },
      'POST https://api.stripe.com/v1/subscriptions/sub_1',
      'items%5B0%5D%5Bid%5D=si_1&items%5B0%5D%5Bquantity%5D=3',
    ],
    [
      'stripe update-subscription',
      { subscription_id: 'sub_1', cancel_at_period_end: true },
      'POST https://api.stripe.com/v1/subscriptions/sub_1',
      'cancel_at_period_end=true',
    ],
    ['stripe void-invoice', { invoice_id: 'in_1' }, 'POST https://api.stripe.com/v1/invoices/in_1/void', null],
    [
      'hubspot search-deals',
      { stage: 'closedwon' },
      'POST https://api.hubapi.com/crm/objects/2026-09/deals/search',
      { filterGroups: [{ filters: [{ propertyName: 'dealstage', operator: 'EQ', value: 'closedwon' }] }], limit: 10 },
    ],
    [
      'hubspot create-ticket',
      { subject: 's', priority: 'HIGH' },
      'POST https://api.hubapi.com/crm/objects/2026-09/tickets',
      { properties: { subject: 's', hs_pipeline_stage: '1', hs_ticket_priority: 'HIGH' } },
    ],
    [
      'hubspot create-task',
      { subject: 's', due_at: '2026-12-04T09:00:00Z' },
      'POST https://api.hubapi.com/crm/objects/2026-09/tasks',
      { properties: { hs_task_subject: 's', hs_timestamp: '2026-12-04T09:00:00Z', hs_task_type: 'TODO', hs_task_status: 'NOT_STARTED' } },
    ],
    [
      'hubspot associate-records',
      { from_type: 'contacts', from_id: '1', to_type: 'companies', to_id: '2' },
      'PUT https://api.hubapi.com/crm/objects/2026-09/contacts/1/associations/default/companies/2',
      null,
    ],
    ['hubspot list-properties', { object_type: 'deals' }, 'GET https://api.hubapi.com/crm/properties/2026-09/deals', null],
    [
      'slack schedule-message',
      { channel: 'C1', text: 't', post_at: 1796284800 },
      'POST https://slack.com/api/chat.scheduleMessage',
      { channel: 'C1', text: 't', post_at: 1796284800 },
    ],
    ['slack list-channel-members', { channel: 'C1' }, 'GET https://slack.com/api/conversations.members?channel=C1&limit=200', null],
    [
      'slack set-channel-topic',
      { channel: 'C1', topic: 't' },
      'POST https://slack.com/api/conversations.setTopic',
      { channel: 'C1', topic: 't' },
    ],
    [
      'notion append-markdown-to-page',
      { page_id: 'p', markdown: '# m' },
      'PATCH https://api.notion.com/v1/pages/p/markdown',
      { type: 'insert_content', insert_content: { content: '# m', position: { type: 'end' } } },
    ],
    [
      'notion replace-page-text',
      { page_id: 'p', old_text: 'a', new_text: 'b' },
      'PATCH https://api.notion.com/v1/pages/p/markdown',
      { type: 'update_content', update_content: { content_updates: [{ old_str: 'a', new_str: 'b' }] } },
    ],
    [
      'notion create-database',
      { parent_page_id: 'p', title: 't', properties: { Name: { title: {} } } },
      'POST https://api.notion.com/v1/databases',
      {
        parent: { type: 'page_id', page_id: 'p' },
        title: [{ type: 'text', text: { content: 't' } }],
        initial_data_source: { properties: { Name: { title: {} } } },
      },
    ],
    ['notion set-to-do', { block_id: 'b' }, 'PATCH https://api.notion.com/v1/blocks/b', { to_do: { checked: true } }],
    [
      'outlook-mail attach-file',
      { message_id: 'A', name: 'a.pdf', content_bytes: 'YQ==' },
      `POST ${graph}/messages/A/attachments`,
      { '@odata.type': '#microsoft.graph.fileAttachment', name: 'a.pdf', contentBytes: 'YQ==' },
    ],
    [
      'outlook-mail create-event',
      { subject: 's', start: '2026-12-04T09:00:00', end: '2026-12-04T10:00:00', content: 'c', location: 'l' },
      `POST ${graph}/events`,
      {
        subject: 's',
        start: { dateTime: '2026-12-04T09:00:00', timeZone: 'UTC' },
        end: { dateTime: '2026-12-04T10:00:00', timeZone: 'UTC' },
        location: { displayName: 'l' },
        body: { contentType: 'Text', content: 'c' },
      },
    ],
    ['outlook-mail update-event', { event_id: 'E', subject: 's' }, `PATCH ${graph}/events/E`, { subject: 's' }],
    [
      'outlook-mail list-contacts',
      { email: 'a@b.c' },
      `GET ${graph}/contacts?%24filter=emailAddresses%2Fany(a%3Aa%2Faddress%20eq%20%27a%40b.c%27)&%24top=100&%24select=${contactFields}`,
      null,
    ],
    [
      'outlook-mail create-contact',
      { given_name: 'n', email: 'a@b.c', business_phone: '1' },
      `POST ${graph}/contacts`,
      { givenName: 'n', emailAddresses: [{ address: 'a@b.c' }], businessPhones: ['1'] },
    ],
    [
      'google-drive reply-to-comment',
      { file_id: 'f', comment_id: 'c', action: 'resolve' },
      `POST ${drive}/f/comments/c/replies?fields=id%2Ccontent%2Caction%2CcreatedTime%2Cauthor(displayName)`,
      { action: 'resolve' },
    ],
    [
      'google-drive update-permission',
      { file_id: 'f', permission_id: 'p', role: 'reader', expiration_time: '2026-12-04T09:00:00Z' },
      `PATCH ${drive}/f/permissions/p?supportsAllDrives=true&fields=id%2Ctype%2Crole%2CemailAddress%2CexpirationTime`,
      { role: 'reader', expirationTime: '2026-12-04T09:00:00Z' },
    ],
    [
      'google-drive remove-permission',
      { file_id: 'f', permission_id: 'p' },
      `DELETE ${drive}/f/permissions/p?supportsAllDrives=true`,
      null,
    ],
    ['google-drive delete-file', { file_id: 'f' }, `DELETE ${drive}/f?supportsAllDrives=true`, null],
    [
      'google-sheets update-ranges',
      { spreadsheet_id: 's', data: [{ range: 'A!B2', values: [['paid', null]] }] },
      'POST https://sheets.googleapis.com/v4/spreadsheets/s/values:batchUpdate',
      { valueInputOption: 'USER_ENTERED', data: [{ range: 'A!B2', values: [['paid', null]] }] },
    ],
    [
      'google-sheets rename-sheet',
      { spreadsheet_id: 's', sheet_id: 0, title: 't' },
      'POST https://sheets.googleapis.com/v4/spreadsheets/s:batchUpdate',
      { requests: [{ updateSheetProperties: { properties: { sheetId: 0, title: 't' }, fields: 'title' } }] },
    ],
    [
      'google-sheets duplicate-sheet',
      { spreadsheet_id: 's', sheet_id: 4, title: 't' },
      'POST https://sheets.googleapis.com/v4/spreadsheets/s:batchUpdate',
      { requests: [{ duplicateSheet: { sourceSheetId: 4, newSheetName: 't' } }] },
    ],
    [
      'google-sheets delete-sheet',
      { spreadsheet_id: 's', sheet_id: 4 },
      'POST https://sheets.googleapis.com/v4/spreadsheets/s:batchUpdate',
      { requests: [{ deleteSheet: { sheetId: 4 } }] },
    ],
    [
      'intercom snooze-conversation',
      { conversation_id: '5', admin_id: '1', snoozed_until: 1796284800 },
      'POST https://api.intercom.io/conversations/5/parts',
      { message_type: 'snoozed', admin_id: '1', snoozed_until: 1796284800 },
    ],
    [
      'intercom reopen-conversation',
      { conversation_id: '5', admin_id: '1' },
      'POST https://api.intercom.io/conversations/5/parts',
      { message_type: 'open', admin_id: '1' },
    ],
    [
      'intercom tag-conversation',
      { conversation_id: '5', tag_id: '9', admin_id: '1' },
      'POST https://api.intercom.io/conversations/5/tags',
      { id: '9', admin_id: '1' },
    ],
    [
      'intercom add-contact-to-company',
      { contact_id: 'c', company_id: 'f' },
      'POST https://api.intercom.io/contacts/c/companies',
      { id: 'f' },
    ],
    [
      'asana add-task-to-project',
      { task: '1', project: '2', section: '3' },
      'POST https://app.asana.com/api/1.0/tasks/1/addProject',
      { data: { project: '2', section: '3' } },
    ],
    [
      'asana create-section',
      { project: '2', name: 'n' },
      'POST https://app.asana.com/api/1.0/projects/2/sections',
      { data: { name: 'n' } },
    ],
    [
      'asana add-followers',
      { task: '1', followers: ['me', 'a@b.c'] },
      'POST https://app.asana.com/api/1.0/tasks/1/addFollowers',
      { data: { followers: ['me', 'a@b.c'] } },
    ],
    ['asana list-tags', { workspace: '4' }, 'GET https://app.asana.com/api/1.0/workspaces/4/tags?limit=50', null],
    ['asana add-tag-to-task', { task: '1', tag: '5' }, 'POST https://app.asana.com/api/1.0/tasks/1/addTag', { data: { tag: '5' } }],
    [
      'trello update-checklist-item',
      { idCard: 'c', idCheckItem: 'i', state: 'complete' },
      'PUT https://api.trello.com/1/cards/c/checkItem/i?key=K&token=T',
      { state: 'complete' },
    ],
    [
      'trello create-label',
      { idBoard: 'b', name: 'n', color: 'red' },
      'POST https://api.trello.com/1/labels?key=K&token=T',
      { idBoard: 'b', name: 'n', color: 'red' },
    ],
    [
      'trello attach-url',
      { idCard: 'c', url: 'https://a.b' },
      'POST https://api.trello.com/1/cards/c/attachments?key=K&token=T',
      { url: 'https://a.b' },
    ],
    [
      'airtable update-records',
      { base_id: 'app1', table: 't', records: [{ id: 'rec1', fields: { a: 1 } }] },
      'PATCH https://api.airtable.com/v0/app1/t',
      { records: [{ id: 'rec1', fields: { a: 1 } }], typecast: false },
    ],
    [
      'airtable delete-records',
      { base_id: 'app1', table: 't', record_ids: ['rec1', 'rec2'] },
      'DELETE https://api.airtable.com/v0/app1/t?records%5B%5D=rec1&records%5B%5D=rec2',
      null,
    ],
    [
      'google-calendar respond-to-invitation',
      { event_id: 'e', email: 'a@b.c', response: 'declined', comment: 'c' },
      'PATCH https://www.googleapis.com/calendar/v3/calendars/primary/events/e?sendUpdates=all',
      { attendeesOmitted: true, attendees: [{ email: 'a@b.c', responseStatus: 'declined', comment: 'c' }] },
    ],
  ])('build the request of %s with %j', (name, args, line, body) => {
    const [app = '', phrase = ''] = name.split(' ')
    const request = build(builtInFunction(app, phrase), args, { ...businessAccount, ...cloudAccount, ...workAccount(app) })
    expect(`${request.method} ${request.url}`).toBe(line)
    const type = String(request.headers['content-type'])
    expect(type.includes('json') ? JSON.parse(String(request.body)) : (request.body ?? null)).toEqual(body)
  })

  it.each([
    ['read-file', 'application/vnd.github.raw+json'],
    ['get-pull-request-diff', 'application/vnd.github.diff'],
  ])('ask GitHub for text in %s', (phrase, accept) => {
    const request = build(builtInFunction('github', phrase), { ...repo, path: 'a', pull_number: 3 }, cloudAccount)
    expect(request.headers.accept).toBe(accept)
  })

  it('ask Outlook for the events between two times, with times in the zone of the user', () => {
    const times = { start: '2026-12-04T00:00:00+01:00', end: '2026-12-05T00:00:00+01:00' }
    const fn = builtInFunction('outlook-mail', 'list-events')
    const { url, headers } = build(fn, { ...times, time_zone: 'Europe/Rome' }, cloudAccount)
    expect(url).toContain(`${graph}/calendarView?startDateTime=2026-12-04T00%3A00%3A00%2B01%3A00&endDateTime=`)
    expect(headers.prefer).toBe('outlook.timezone="Europe/Rome"')
    expect(build(fn, times, cloudAccount).headers.prefer).toBeUndefined()
  })

  it('read the comments of a Google Drive file, and the token of the next page', () => {
    const comment = { id: 'c', content: 'too long', resolved: false, replies: [{ id: 'r', content: 'cut', action: 'resolve' }] }
    const fn = builtInFunction('google-drive', 'list-comments')
    expect(fn.readResponse(200, { comments: [comment], nextPageToken: 'n' }, null)).toEqual({ output: [comment], cursor: 'n' })
    expect(fn.readResponse(200, { comments: [] }, null)).toEqual({ output: [], cursor: null })
    expect(build(fn, { file_id: 'f' }, cloudAccount, 'n').url).toMatch(/\/f\/comments\?pageSize=100&fields=.*&pageToken=n$/)
  })

  it.each<[string, Args, object]>([
    ['link-url', { issue: 'WEB-1', url: 'https://a.b/c' }, { issueId: 'WEB-1', url: 'https://a.b/c' }],
    [
      'relate-issues',
      { issue: 'WEB-1', related_issue: 'WEB-2' },
      { input: { issueId: 'WEB-1', relatedIssueId: 'WEB-2', type: 'related' } },
    ],
    ['post-project-update', { project_id: 'p', body: 'b', health: 'atRisk' }, { input: { projectId: 'p', body: 'b', health: 'atRisk' } }],
  ])('send the variables of %s to Linear', (phrase, args, variables) => {
    const { body } = build(builtInFunction('linear', phrase), args, workAccount('linear'))
    expect(JSON.parse(String(body)).variables).toEqual(variables)
  })

  it('attach a file to a Trello card as a part of a form', () => {
    const file = { name: 'a.txt', contentType: 'text/plain', bytes: Buffer.from('content') }
    const args = { idCard: 'c', name: 'n', file: {} }
    const { url, body } = build(builtInFunction('trello', 'attach-file'), args, workAccount('trello'), null, { file })
    expect(url).toBe('https://api.trello.com/1/cards/c/attachments?key=K&token=T')
    expect(String(body)).toMatch(
      /name="name"\r\n\r\nn\r\n[\s\S]*name="file"; filename="a\.txt"\r\nContent-Type: text\/plain\r\n\r\ncontent\r\n/,
    )
  })
})
