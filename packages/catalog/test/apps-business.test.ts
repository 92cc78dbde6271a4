import { builtInFunction as appFunction, businessAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const salesforce = 'https://acme.my.salesforce.com/services/data/v62.0'
const pipedrive = 'https://api.pipedrive.com/api/v2'
const zendesk = 'https://acme.zendesk.com/api/v2'
const freshdesk = 'https://acme.freshdesk.com/api/v2'
const intercom = 'https://api.intercom.io'

function lineAndBody(app: string, phrase: string, args: Args): [string, unknown] {
  const { method, url, body } = build(appFunction(app, phrase), args, businessAccount)
  return [`${method} ${url}`, body === undefined ? null : JSON.parse(String(body))]
}

describe('the apps for sales', () => {
  it.each<[string, string, Args, string, unknown]>([
    ['salesforce', 'query', { soql: 'SELECT Id FROM Lead' }, `GET ${salesforce}/query?q=SELECT%20Id%20FROM%20Lead`, null],
    [
      'salesforce',
      'search',
      { text: 'Acme', in: 'NAME' },
      `POST ${salesforce}/parameterizedSearch`,
      { q: 'Acme', in: 'NAME', fields: ['Id', 'Name'], sobjects: [{ name: 'Account' }], defaultLimit: 20 },
    ],
    [
      'salesforce',
      'update-record',
      { object: 'Case', record_id: '5001', fields: { Status: 'Closed' } },
      `PATCH ${salesforce}/sobjects/Case/5001`,
      { Status: 'Closed' },
    ],
    [
      'pipedrive',
      'create-person',
      { name: 'Grace', email: 'g@h.i' },
      `POST ${pipedrive}/persons`,
      { name: 'Grace', emails: [{ value: 'g@h.i', primary: true, label: 'work' }] },
    ],
    [
      'pipedrive',
      'create-activity',
      { subject: 'Call', person_id: 7 },
      `POST ${pipedrive}/activities`,
      { subject: 'Call', type: 'task', participants: [{ person_id: 7, primary: true }] },
    ],
    ['pipedrive', 'list-notes', { deal_id: 42 }, 'GET https://api.pipedrive.com/api/v1/notes?deal_id=42&limit=100', null],
    [
      'hubspot',
      'update-deal',
      { deal_id: '9', stage: 'closedwon' },
      'PATCH https://api.hubapi.com/crm/objects/2026-09/deals/9',
      { properties: { dealstage: 'closedwon' } },
    ],
    ['hubspot', 'get-account', {}, 'GET https://api.hubapi.com/account-info/2026-09/details', null],
    ['hubspot', 'list-owners', {}, 'GET https://api.hubapi.com/crm/owners/2026-09?limit=100', null],
    ['hubspot', 'list-deal-pipelines', {}, 'GET https://api.hubapi.com/crm/pipelines/2026-09/deals', null],
  ])('app %s builds the request of %s', (app, phrase, args, line, body) => {
    expect(lineAndBody(app, phrase, args)).toEqual([line, body])
  })

  it('send the page size to Salesforce in a header', () => {
    const { headers } = build(appFunction('salesforce', 'list-accounts'), { page_size: 500 }, businessAccount)
    expect(headers).toEqual({ 'sforce-query-options': 'batchSize=500', authorization: 'Bearer T' })
  })
})

describe('the apps for support', () => {
  it.each<[string, string, Args, string, unknown]>([
    ['zendesk', 'list-tickets', { sort: '-updated_at' }, `GET ${zendesk}/tickets?sort=-updated_at&page%5Bsize%5D=50`, null],
    [
      'zendesk',
      'create-ticket',
      { subject: 's', body: 'b', requester_email: 'a@b.c' },
      `POST ${zendesk}/tickets`,
      { ticket: { subject: 's', comment: { body: 'b' }, requester: { email: 'a@b.c' } } },
    ],
    [
      'zendesk',
      'add-comment',
      { ticket_id: 35, body: 'note', public: false },
      `PUT ${zendesk}/tickets/35`,
      { ticket: { comment: { body: 'note', public: false } } },
    ],
    ['freshdesk', 'search-tickets', { query: 'status:2' }, `GET ${freshdesk}/search/tickets?query=%22status%3A2%22`, null],
    [
      'freshdesk',
      'create-ticket',
      { email: 'a@b.c', subject: 's', description: 'd', priority: 3 },
      `POST ${freshdesk}/tickets`,
      { email: 'a@b.c', subject: 's', description: 'd', status: 2, priority: 3 },
    ],
    [
      'intercom',
      'search-contacts',
      { value: 'a@b.c' },
      `POST ${intercom}/contacts/search`,
      { query: { field: 'email', operator: '=', value: 'a@b.c' }, pagination: { per_page: 50 } },
    ],
    [
      'intercom',
      'assign-conversation',
      { conversation_id: '5', admin_id: '1', assignee_id: '2', assignee_type: 'team' },
      `POST ${intercom}/conversations/5/parts`,
      { message_type: 'assignment', type: 'team', admin_id: '1', assignee_id: '2' },
    ],
    [
      'intercom',
      'create-ticket',
      { ticket_type_id: '85', contact_id: 'c', title: 't' },
      `POST ${intercom}/tickets`,
      { ticket_type_id: '85', contacts: [{ id: 'c' }], ticket_attributes: { _default_title_: 't' } },
    ],
  ])('app %s builds the request of %s', (app, phrase, args, line, body) => {
    expect(lineAndBody(app, phrase, args)).toEqual([line, body])
  })

  it.each([
    ['zendesk', 'get-current-user', { authorization: `Basic ${btoa('me@acme.com/token:A')}` }],
    ['freshdesk', 'get-current-agent', { authorization: `Basic ${btoa('K:X')}` }],
    ['intercom', 'get-current-admin', { authorization: 'Bearer T', 'intercom-version': '2.11' }],
    ['pipedrive', 'get-current-user', { 'x-api-token': 'K' }],
  ])('app %s identifies the owner of the account', (app, phrase, headers) => {
    expect(build(appFunction(app, phrase), {}, businessAccount).headers).toEqual(headers)
  })

  it('accept an OAuth account of Zendesk too', () => {
    const account = { subdomain: 'acme', access_token: 'O' }
    expect(build(appFunction('zendesk', 'get-current-user'), {}, account).headers).toEqual({ authorization: 'Bearer O' })
  })
})
