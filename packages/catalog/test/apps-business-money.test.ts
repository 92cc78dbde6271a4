import { builtInFunction as appFunction, businessAccount } from './built-in-accounts.ts'
import { build } from './sample-app.ts'

type Args = Readonly<Record<string, unknown>>

const paypal = 'https://api-m.paypal.com'
const books = 'https://quickbooks.api.intuit.com/v3/company/123'
const xero = 'https://api.xero.com'

describe('the apps for money', () => {
  it.each<[string, string, Args, string, unknown]>([
    ['paypal', 'list-invoices', {}, `GET ${paypal}/v2/invoicing/invoices?page_size=20&total_required=true`, null],
    [
      'paypal',
      'create-invoice',
      { currency_code: 'EUR', due_date: '2026-02-01', recipient_email: 'a@b.c', items: [{ name: 'x' }] },
      `POST ${paypal}/v2/invoicing/invoices`,
      {
        detail: { currency_code: 'EUR', payment_term: { term_type: 'DUE_ON_DATE_SPECIFIED', due_date: '2026-02-01' } },
        primary_recipients: [{ billing_info: { email_address: 'a@b.c' } }],
        items: [{ name: 'x' }],
      },
    ],
    ['paypal', 'refund-capture', { capture_id: 'c1' }, `POST ${paypal}/v2/payments/captures/c1/refund`, {}],
    [
      'quickbooks',
      'list-customers',
      { limit: 10 },
      `GET ${books}/query?query=select%20*%20from%20Customer%20orderby%20DisplayName%20startposition%201%20maxresults%2010&minorversion=75`,
      null,
    ],
    [
      'quickbooks',
      'record-payment',
      { customer_id: '1', invoice_id: '130', amount: 50 },
      `POST ${books}/payment?minorversion=75`,
      {
        CustomerRef: { value: '1' },
        TotalAmt: 50,
        Line: [{ Amount: 50, LinkedTxn: [{ TxnId: '130', TxnType: 'Invoice' }] }],
      },
    ],
    [
      'xero',
      'list-invoices',
      { tenant_id: 't', statuses: ['DRAFT', 'PAID'] },
      `GET ${xero}/api.xro/2.0/Invoices?Statuses=DRAFT%2CPAID&pageSize=100&page=1`,
      null,
    ],
    ['xero', 'list-contacts', { tenant_id: 't' }, `GET ${xero}/api.xro/2.0/Contacts?pageSize=100&page=1`, null],
    ['xero', 'list-projects', { tenant_id: 't' }, `GET ${xero}/projects.xro/2.0/Projects?pageSize=50`, null],
    [
      'xero',
      'create-invoice',
      { tenant_id: 't', contact_id: 'c', line_items: [{ Description: 'd' }] },
      `PUT ${xero}/api.xro/2.0/Invoices`,
      { Invoices: [{ Type: 'ACCREC', Contact: { ContactID: 'c' }, LineItems: [{ Description: 'd' }], Status: 'DRAFT' }] },
    ],
    [
      'xero',
      'create-task',
      { tenant_id: 't', project_id: 'p', name: 'n', charge_type: 'TIME', rate: 90, currency: 'NZD' },
      `POST ${xero}/projects.xro/2.0/Projects/p/Tasks`,
      { name: 'n', chargeType: 'TIME', rate: { currency: 'NZD', value: 90 } },
    ],
    [
      'stripe',
      'list-prices',
      { product: 'prod_1', active: true },
      'GET https://api.stripe.com/v1/prices?product=prod_1&active=true&limit=10',
      null,
    ],
  ])('app %s builds the request of %s', (app, phrase, args, line, body) => {
    const request = build(appFunction(app, phrase), args, businessAccount)
    expect([`${request.method} ${request.url}`, request.body === undefined ? null : JSON.parse(String(request.body))]).toEqual([line, body])
  })

  it('send the organisation to Xero in a header and request a PDF from QuickBooks', () => {
    const headersOf = (app: string, phrase: string, args: Args) => build(appFunction(app, phrase), args, businessAccount).headers
    expect(headersOf('xero', 'get-project', { tenant_id: 't', project_id: 'p' })).toEqual({
      accept: 'application/json',
      'xero-tenant-id': 't',
      authorization: 'Bearer T',
    })
    expect(headersOf('quickbooks', 'get-invoice-pdf', { invoice_id: '130' })).toEqual({
      accept: 'application/pdf',
      authorization: 'Bearer T',
    })
  })

  it('send a form to Stripe', () => {
    expect(build(appFunction('stripe', 'create-payment-link'), { price: 'price_1' }, businessAccount)).toMatchObject({
      url: 'https://api.stripe.com/v1/payment_links',
      body: 'line_items%5B0%5D%5Bprice%5D=price_1&line_items%5B0%5D%5Bquantity%5D=1',
    })
  })
})

describe('Shopify', () => {
  const list = appFunction('shopify', 'list-orders')

  it('sends GraphQL to the shop of the account', () => {
    const request = build(list, { query: 'status:open', first: 10 }, businessAccount)
    expect(request).toMatchObject({
      method: 'POST',
      url: 'https://acme.myshopify.com/admin/api/2026-07/graphql.json',
      headers: { 'x-shopify-access-token': 'K' },
    })
    const { query, variables } = JSON.parse(String(request.body))
    expect(query).toContain('orders(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: true)')
    expect(variables).toEqual({ first: 10, query: 'status:open' })
  })

  it('puts flat arguments into nested inputs', () => {
    const args = { inventory_item_id: 'i', location_id: 'l', delta: -2, reason: 'damaged', idempotency_key: 'k' }
    const { variables } = JSON.parse(String(build(appFunction('shopify', 'adjust-stock'), args, businessAccount).body))
    const change = { delta: -2, changeFromQuantity: null, inventoryItemId: 'i', locationId: 'l' }
    expect(variables).toEqual({ key: 'k', input: { name: 'available', reason: 'damaged', changes: [change] } })
  })

  it.each([
    ['get-order', { order_id: 'o' }, 'lineItems(first: 250)'],
    ['get-product', { product_id: 'p' }, 'variants(first: 250)'],
    ['list-fulfillment-orders', {}, 'lineItems(first: 20)'],
  ])('says in the output of %s whether there are more lines', (phrase, args, connection) => {
    const { query } = JSON.parse(String(build(appFunction('shopify', phrase), { ...args }, businessAccount).body))
    const [, selection = ''] = (query as string).split(connection)
    expect(selection).toMatch(/^ \{\s*nodes \{.*\}\s*pageInfo \{ hasNextPage \}/)
  })

  it('sends the token of an OAuth account in the same header', () => {
    expect(build(list, {}, { shop: 'acme', access_token: 'O' }).headers['x-shopify-access-token']).toBe('O')
  })

  it('continues with the end cursor of the page', () => {
    const pageInfo = { hasNextPage: true, endCursor: 'e1' }
    const response = { data: { orders: { nodes: [{ id: 1 }], pageInfo } } }
    expect(list.readResponse(200, response, null, {}, businessAccount)).toEqual({ output: [{ id: 1 }], cursor: 'e1' })
    expect(JSON.parse(String(build(list, {}, businessAccount, 'e1').body)).variables).toEqual({ first: 50, after: 'e1' })
  })
})
