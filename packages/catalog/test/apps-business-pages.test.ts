import type { Cursor } from '../src/index.ts'
import { builtInFunction as appFunction, businessAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const query = '/services/data/v62.0/query/01g-2000'
const zendesk = 'https://acme.zendesk.com/api/v2'
const freshdesk = 'https://acme.freshdesk.com/api/v2'

/** A response with one item, the cursor that it leads to, and the URL of the next page. */
type Row = [app: string, phrase: string, args: Args, response: object, cursor: Cursor, next: string]

const rows: Row[] = [
  [
    'salesforce',
    'query',
    { soql: 's' },
    { records: [1], done: false, nextRecordsUrl: query },
    query,
    `https://acme.my.salesforce.com${query}`,
  ],
  [
    'pipedrive',
    'list-deals',
    {},
    { data: [1], additional_data: { next_cursor: 'c' } },
    'c',
    'https://api.pipedrive.com/api/v2/deals?limit=100&cursor=c',
  ],
  [
    'pipedrive',
    'list-notes',
    {},
    { data: [1], additional_data: { pagination: { more_items_in_collection: true } } },
    1,
    'https://api.pipedrive.com/api/v1/notes?limit=100&start=1',
  ],
  [
    'zendesk',
    'list-users',
    {},
    { users: [1], links: { next: `${zendesk}/users?page%5Bafter%5D=x&page%5Bsize%5D=50` } },
    { 'page[after]': 'x' },
    `${zendesk}/users?page%5Bsize%5D=50&page%5Bafter%5D=x`,
  ],
  [
    'zendesk',
    'search',
    { query: 'q' },
    { results: [1], next_page: `${zendesk}/search?page=2` },
    2,
    `${zendesk}/search?query=q&per_page=50&page=2`,
  ],
  [
    'intercom',
    'list-contacts',
    {},
    { data: [1], pages: { next: { per_page: 50, starting_after: 'w' } } },
    'w',
    'https://api.intercom.io/contacts?per_page=50&starting_after=w',
  ],
  [
    'paypal',
    'list-invoices',
    {},
    { items: [1], total_pages: 2 },
    2,
    'https://api-m.paypal.com/v2/invoicing/invoices?page_size=20&total_required=true&page=2',
  ],
  [
    'xero',
    'list-projects',
    { tenant_id: 't' },
    { items: [1], pagination: { page: 1, pageCount: 2 } },
    2,
    'https://api.xero.com/projects.xro/2.0/Projects?pageSize=50&page=2',
  ],
  [
    'mailchimp',
    'list-audiences',
    {},
    { lists: [1], total_items: 3 },
    1,
    'https://us6.api.mailchimp.com/3.0/lists?count=50&exclude_fields=lists._links&offset=1',
  ],
  ['resend', 'list-emails', {}, { data: [{ id: 'e' }], has_more: true }, 'e', 'https://api.resend.com/emails?limit=20&after=e'],
  [
    'stripe',
    'list-products',
    {},
    { data: [{ id: 'prod_1' }], has_more: true },
    'prod_1',
    'https://api.stripe.com/v1/products?limit=10&starting_after=prod_1',
  ],
  [
    'twilio',
    'list-messaging-services',
    {},
    { services: [1], meta: { next_page_url: 'https://messaging.twilio.com/v1/Services?PageSize=50&Page=1&PageToken=p' } },
    { Page: '1', PageToken: 'p' },
    'https://messaging.twilio.com/v1/Services?PageSize=50&Page=1&PageToken=p',
  ],
]

describe('the pages of the business apps', () => {
  it.each(rows)('of %s continue after %s', (app, phrase, args, response, cursor, next) => {
    const fn = appFunction(app, phrase)
    const [items] = Object.values(response)
    expect(fn.readResponse(200, response, null, {}, businessAccount)).toEqual({ output: items, cursor })
    expect(build(fn, args, businessAccount, cursor).url).toBe(next)
  })

  it.each<[string, string, object]>([
    ['salesforce', 'query', { records: [1], done: true }],
    ['pipedrive', 'list-notes', { data: [1], additional_data: { pagination: { more_items_in_collection: false } } }],
    ['zendesk', 'search', { results: [1], next_page: null }],
    ['paypal', 'list-invoices', { items: [1], total_pages: 1 }],
    ['xero', 'list-projects', { items: [1], pagination: { page: 1, pageCount: 1 } }],
    ['mailchimp', 'list-audiences', { lists: [1], total_items: 1 }],
    ['resend', 'list-emails', { data: [{ id: 'e' }], has_more: false }],
    ['stripe', 'list-products', { data: [{ id: 'prod_1' }], has_more: false }],
    ['anthropic', 'list-files', { data: [{ id: 'f' }], next_page: null }],
  ])('of %s end after the last page of %s', (app, phrase, response) => {
    expect(appFunction(app, phrase).readResponse(200, response, null, {}, businessAccount).cursor).toBeNull()
  })

  it('of WhatsApp end when there is no next link, even if there are cursors', () => {
    const fn = appFunction('whatsapp-business', 'list-templates')
    const response = (paging: object) => fn.readResponse(200, { data: [1], paging }, null, {}, businessAccount).cursor
    expect(response({ cursors: { after: 'a' }, next: 'https://graph.facebook.com/v23.0/999?access_token=T&after=a' })).toEqual({
      after: 'a',
    })
    expect(response({ cursors: { after: 'a' } })).toBeNull()
  })

  it('of Freshdesk continue with a URL from a header', () => {
    const fn = appFunction('freshdesk', 'list-contacts')
    const link = `<${freshdesk}/contacts?per_page=30&page=2>; rel="next"`
    const response = fn.readResponse(200, [1], null, { link }, businessAccount)
    expect(response).toEqual({ output: [1], cursor: { page: '2' } })
    expect(build(fn, {}, businessAccount, { page: '2' }).url).toBe(`${freshdesk}/contacts?per_page=30&page=2`)
    expect(fn.readResponse(200, [1], null, {}, businessAccount).cursor).toBeNull()
  })
})
