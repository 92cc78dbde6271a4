import { builtInFunction, businessAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

/** Requests of the functions that people need after the first ones: [function, arguments, method and URL, body]. */
describe('the deeper functions of the apps for customers and sales', () => {
  it.each<[string, Args, string, unknown]>([
    ['zendesk get-user', { user_id: 5 }, 'GET https://acme.zendesk.com/api/v2/users/5', null],
    ['zendesk get-organization', { organization_id: 5 }, 'GET https://acme.zendesk.com/api/v2/organizations/5', null],
    ['zendesk list-ticket-forms', { active: true }, 'GET https://acme.zendesk.com/api/v2/ticket_forms?active=true', null],
    [
      'zendesk list-macros',
      { active: true, page_size: 10 },
      'GET https://acme.zendesk.com/api/v2/macros?active=true&page%5Bsize%5D=10',
      null,
    ],
    ['zendesk preview-macro', { ticket_id: 7, macro_id: 25 }, 'GET https://acme.zendesk.com/api/v2/tickets/7/macros/25/apply', null],
    [
      'zendesk add-comment',
      { ticket_id: 7, body: 'b', uploads: ['t'] },
      'PUT https://acme.zendesk.com/api/v2/tickets/7',
      { ticket: { comment: { body: 'b', public: true, uploads: ['t'] } } },
    ],
    [
      'zendesk create-ticket',
      { subject: 's', body: 'b', uploads: ['t'], ticket_form_id: 3, custom_fields: [{ id: 1, value: 'v' }] },
      'POST https://acme.zendesk.com/api/v2/tickets',
      { ticket: { subject: 's', comment: { body: 'b', uploads: ['t'] }, ticket_form_id: 3, custom_fields: [{ id: 1, value: 'v' }] } },
    ],
    [
      'zendesk update-ticket',
      { ticket_id: 7, custom_fields: [{ id: 1, value: 'v' }] },
      'PUT https://acme.zendesk.com/api/v2/tickets/7',
      { ticket: { custom_fields: [{ id: 1, value: 'v' }] } },
    ],
    [
      'salesforce create-records',
      { records: [{ attributes: { type: 'Contact' }, LastName: 'L' }] },
      'POST https://acme.my.salesforce.com/services/data/v62.0/composite/sobjects',
      { allOrNone: false, records: [{ attributes: { type: 'Contact' }, LastName: 'L' }] },
    ],
    [
      'salesforce update-records',
      { records: [{ attributes: { type: 'Lead' }, id: '00Q', Status: 'Working' }], all_or_none: true },
      'PATCH https://acme.my.salesforce.com/services/data/v62.0/composite/sobjects',
      { allOrNone: true, records: [{ attributes: { type: 'Lead' }, id: '00Q', Status: 'Working' }] },
    ],
    [
      'salesforce add-note',
      { record_id: '001', title: 't', text: 'b', private: true },
      'POST https://acme.my.salesforce.com/services/data/v62.0/sobjects/Note',
      { ParentId: '001', Title: 't', Body: 'b', IsPrivate: true },
    ],
  ])('build the request of %s with %j', (name, args, line, body) => {
    const [app = '', phrase = ''] = name.split(' ')
    const request = build(builtInFunction(app, phrase), args, businessAccount)
    expect(`${request.method} ${request.url}`).toBe(line)
    const type = String(request.headers['content-type'])
    expect(type.includes('json') ? JSON.parse(String(request.body)) : (request.body ?? null)).toEqual(body)
  })

  it('upload a file to Zendesk with its own media type', () => {
    const file = { name: 'x', contentType: 'text/plain', bytes: Buffer.from('content') }
    const fn = builtInFunction('zendesk', 'upload-file')
    const request = build(fn, { filename: 'a b.log', file: {} }, businessAccount, null, { file })
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://acme.zendesk.com/api/v2/uploads?filename=a%20b.log',
      headers: { 'content-type': 'text/plain' },
      body: file.bytes,
    })
    expect(fn.readResponse(201, { upload: { token: 't', attachments: [] } }, null).output).toEqual({ token: 't', attachments: [] })
  })

  it('read the pages of the ticket fields and macros of Zendesk', () => {
    const links = { next: 'https://acme.zendesk.com/api/v2/x?page%5Bafter%5D=n' }
    for (const [phrase, key] of [
      ['list-ticket-fields', 'ticket_fields'],
      ['list-macros', 'macros'],
    ] as const) {
      const fn = builtInFunction('zendesk', phrase)
      expect(fn.readResponse(200, { [key]: [{ id: 1 }], links }, null)).toEqual({ output: [{ id: 1 }], cursor: { 'page[after]': 'n' } })
      expect(fn.readResponse(200, { [key]: [], links: { next: null } }, null)).toEqual({ output: [], cursor: null })
    }
  })

  it('attach a file to a Salesforce record after the fields that name the record', () => {
    const file = { name: 'x', contentType: 'application/pdf', bytes: Buffer.from('content') }
    const args = { record_id: '006', filename: 'offer.pdf', file: {} }
    const { url, body } = build(builtInFunction('salesforce', 'attach-file'), args, businessAccount, null, { file })
    expect(url).toBe('https://acme.my.salesforce.com/services/data/v62.0/sobjects/ContentVersion')
    const json = '{"PathOnClient":"offer.pdf","FirstPublishLocationId":"006"}'
    expect(String(body)).toContain(`name="entity_content"\r\nContent-Type: application/json\r\n\r\n${json}\r\n`)
    expect(String(body)).toMatch(/name="VersionData"; filename="x"\r\nContent-Type: application\/pdf\r\n\r\ncontent\r\n--\S+--\r\n$/)
  })

  it.each<[string, Args, object]>([
    [
      'update-product',
      { product_id: 'p', add_to_collections: ['c'], remove_from_collections: ['d'] },
      { product: { id: 'p', collectionsToJoin: ['c'], collectionsToLeave: ['d'] } },
    ],
    [
      'cancel-order',
      { order_id: 'o', reason: 'CUSTOMER', restock: true, refund: false },
      { id: 'o', reason: 'CUSTOMER', restock: true, refund: { originalPaymentMethodsRefund: false }, notify: false },
    ],
    [
      'suggest-refund',
      { order_id: 'o', line_items: [{ lineItemId: 'l', quantity: 1 }] },
      { id: 'o', items: [{ lineItemId: 'l', quantity: 1 }] },
    ],
    [
      'refund-order',
      { order_id: 'o', amount: '5.00', gateway: 'g', parent_transaction_id: 't', idempotency_key: 'k' },
      { key: 'k', input: { orderId: 'o', transactions: [{ orderId: 'o', kind: 'REFUND', amount: '5.00', gateway: 'g', parentId: 't' }] } },
    ],
    [
      'create-discount-code',
      { code: 'A', title: 't', starts_at: '2026-12-01T00:00:00Z', percentage: 0.1 },
      {
        discount: {
          code: 'A',
          title: 't',
          startsAt: '2026-12-01T00:00:00Z',
          context: { all: 'ALL' },
          customerGets: { items: { all: true }, value: { percentage: 0.1 } },
        },
      },
    ],
    [
      'create-discount-code',
      { code: 'A', title: 't', starts_at: '2026-12-01T00:00:00Z', amount: '5.00', minimum_subtotal: '50.00' },
      {
        discount: {
          code: 'A',
          title: 't',
          startsAt: '2026-12-01T00:00:00Z',
          context: { all: 'ALL' },
          customerGets: { items: { all: true }, value: { discountAmount: { amount: '5.00', appliesOnEachItem: false } } },
          minimumRequirement: { subtotal: { greaterThanOrEqualToSubtotal: '50.00' } },
        },
      },
    ],
    [
      'set-metafield',
      { owner_id: 'p', key: 'k2', value: 'v' },
      { metafields: [{ ownerId: 'p', namespace: 'custom', key: 'k2', value: 'v' }] },
    ],
  ])('send the variables of %s to Shopify: %j', (phrase, args, variables) => {
    const { body } = build(builtInFunction('shopify', phrase), args, businessAccount)
    expect(JSON.parse(String(body)).variables).toEqual(variables)
  })

  it.each([
    ['list-collections', 'collections'],
    ['list-discounts', 'discountNodes'],
    ['list-metafields', 'node/metafields'],
  ])('read the pages of %s of Shopify', (phrase, pointer) => {
    const inside = (connection: object) => ({
      data: pointer.split('/').reduceRight<object>((value, key) => ({ [key]: value }), connection),
    })
    const fn = builtInFunction('shopify', phrase)
    const page = { nodes: [{ id: 1 }], pageInfo: { hasNextPage: true, endCursor: 'n' } }
    expect(fn.readResponse(200, inside(page), null)).toEqual({ output: [{ id: 1 }], cursor: 'n' })
    expect(fn.readResponse(200, inside({ nodes: [], pageInfo: { hasNextPage: false } }), null)).toEqual({ output: [], cursor: null })
  })

  it('see that Shopify did not cancel an order', () => {
    const refused = { data: { orderCancel: { job: null, orderCancelUserErrors: [{ field: ['orderId'], message: 'shipped' }] } } }
    const accepted = { data: { orderCancel: { job: { id: 'j', done: false }, orderCancelUserErrors: [] } } }
    const fn = builtInFunction('shopify', 'cancel-order')
    expect([fn.isError?.(refused), fn.isError?.(accepted)]).toEqual([true, false])
  })
})
