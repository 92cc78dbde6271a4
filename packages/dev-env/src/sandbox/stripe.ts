import { type Answer, AppProblem, type Call, daysBefore, findBy, type Imitation, seconds } from './imitation.ts'

type Thing = { readonly id: string; readonly object: string; readonly created: number }
type Customer = Thing & { name: string | null; email: string | null; readonly metadata: Record<string, string> }
type Price = Thing & {
  readonly product: string
  readonly nickname: string
  readonly unit_amount: number
  readonly type: string
  readonly active: boolean
}
type Product = Thing & { readonly name: string; readonly active: boolean; default_price: string | null }
type Payment = Thing & {
  readonly customer: string
  readonly amount: number
  readonly status: string
  amount_refunded: number
  readonly latest_charge: string
}
type Invoice = Thing & {
  number: string | null
  status: string
  readonly customer: string
  readonly collection_method: string
  readonly days_until_due: number | null
  total: number
  amount_due: number
  amount_paid: number
  amount_remaining: number
  due_date: number | null
  hosted_invoice_url: string | null
}
type Subscription = Thing & { status: string; readonly customer: string; canceled_at: number | null; ended_at: number | null }
/** Each list has the newest object first, as Stripe's lists do. */
type Store = {
  next: number
  refunded: number
  readonly customers: Customer[]
  readonly products: Product[]
  readonly prices: Price[]
  readonly payments: Payment[]
  readonly invoices: Invoice[]
  readonly subscriptions: Subscription[]
}

const CURRENCY = 'eur'
const PEOPLE = [
  'Chiara Carrowby',
  'Dmitri Dunnekar',
  'Eilidh Esterhal',
  'Farid Fairlund',
  'Greta Hollowell',
  'Hiro Ashgrove',
  'Northwind Traders',
]
const MORE_PEOPLE = ['Harbour and Sons', 'Solstice Energy', 'Kestrel Logistics', 'Larkspur Clinic', 'Jonas Iversand']
const PLANS: readonly [product: string, price: string, amount: number, interval?: string][] = [
  ['Starter plan', 'Starter, monthly', 1_900, 'month'],
  ['Pro plan', 'Pro, monthly', 4_900, 'month'],
  ['Pro plan', 'Pro, yearly', 49_000, 'year'],
  ['Onboarding workshop', 'Workshop', 35_000],
]

function thing<T extends object>(store: Store, prefix: string, object: string, now: Date, fields: T): Thing & T {
  return {
    id: `${prefix}_sandbox${String(store.next++).padStart(8, '0')}`,
    object,
    created: seconds(now),
    livemode: false,
    ...fields,
  } as Thing & T
}

function seed(now: Date): Store {
  const store: Store = { next: 1, refunded: 0, customers: [], products: [], prices: [], payments: [], invoices: [], subscriptions: [] }
  for (const [name, nickname, unit_amount, interval] of PLANS) {
    const time = daysBefore(now, 200)
    const product =
      findBy(store.products, { name }) ??
      thing(store, 'prod', 'product', time, { name, active: true, description: null, default_price: null, updated: seconds(time) })
    if (!store.products.includes(product)) store.products.unshift(product)
    const recurring = interval === undefined ? null : { interval, interval_count: 1 }
    const terms = { active: true, currency: CURRENCY, type: interval ? 'recurring' : 'one_time', recurring }
    const price = thing(store, 'price', 'price', time, { product: product.id, nickname, unit_amount, ...terms })
    product.default_price ??= price.id
    store.prices.unshift(price)
  }
  for (const [index, name] of [...PEOPLE, ...MORE_PEOPLE].entries()) {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
    const plan = index % 3 === 0 ? 'pro' : 'starter'
    const customer = addCustomer(store, daysBefore(now, 120 - 9 * index), {
      name,
      email,
      phone: `+1-202-555-01${index + 30}`,
      metadata: { plan },
    })
    if (index % 2 === 0) addHistory(store, customer, plan === 'pro' ? 'Pro, monthly' : 'Starter, monthly', now, index)
  }
  return store
}

/** Adds what a customer has bought: a subscription, a payment and an invoice. */
function addHistory(store: Store, { id: customer, email }: Customer, nickname: string, now: Date, index: number): void {
  const price = findBy(store.prices, { nickname })
  const amount = price?.unit_amount ?? 0
  const time = daysBefore(now, 28 - 2 * index)
  const items = { object: 'list', data: [{ id: `si_sandbox${index}`, object: 'subscription_item', quantity: 1, price }] }
  const ends = { cancel_at_period_end: false, cancel_at: null, canceled_at: null, ended_at: null }
  const status = index === 4 ? 'past_due' : 'active'
  store.subscriptions.unshift(
    thing(store, 'sub', 'subscription', time, { status, customer, currency: CURRENCY, items, ...ends, start_date: seconds(time) }),
  )
  if (status === 'active') {
    const paid = {
      status: 'succeeded',
      amount,
      amount_received: amount,
      amount_refunded: 0,
      currency: CURRENCY,
      customer,
      description: nickname,
    }
    store.payments.unshift(
      thing(store, 'pi', 'payment_intent', time, { ...paid, receipt_email: email, latest_charge: `ch_sandbox${store.next}` }),
    )
  }
  const invoice = addInvoice(store, time, { customer, customer_email: email, collection_method: 'send_invoice', days_until_due: 14 })
  setAmount(invoice, amount)
  finalise(store, invoice, time)
  if (status === 'active') Object.assign(invoice, { status: 'paid', amount_paid: amount, amount_remaining: 0 })
}

function addCustomer(store: Store, now: Date, fields: Partial<Customer> & { phone?: string }): Customer {
  const empty = { name: null, email: null, phone: null, description: null, address: null, metadata: {} }
  const customer = thing(store, 'cus', 'customer', now, { ...empty, balance: 0, currency: null, delinquent: false, ...fields })
  store.customers.unshift(customer)
  return customer
}

type NewInvoice = { customer: string; customer_email?: string | null; collection_method?: string; days_until_due?: number }

function addInvoice(
  store: Store,
  now: Date,
  { collection_method = 'charge_automatically', days_until_due, ...fields }: NewInvoice,
): Invoice {
  const amounts = { currency: CURRENCY, total: 0, amount_due: 0, amount_paid: 0, amount_remaining: 0 }
  const terms = { collection_method, days_until_due: days_until_due ?? null, due_date: null, number: null, hosted_invoice_url: null }
  const invoice = thing(store, 'in', 'invoice', now, { status: 'draft', ...amounts, ...terms, ...fields })
  store.invoices.unshift(invoice)
  return invoice
}

function setAmount(invoice: Invoice, total: number): void {
  Object.assign(invoice, { total, amount_due: total, amount_remaining: total })
}

function finalise(store: Store, invoice: Invoice, now: Date): void {
  const { id, days_until_due } = invoice
  const number = `SANDBOX-${String(store.next++).padStart(4, '0')}`
  const due_date = days_until_due === null ? null : seconds(daysBefore(now, -days_until_due))
  Object.assign(invoice, { status: 'open', number, due_date, hosted_invoice_url: `https://invoice.stripe.example.com/${id}` })
}

const invalid = (code: string, message: string) => new AppProblem(400, code, message)

function find<T extends Thing>(things: readonly T[], id: string, kind: string): T {
  const found = things.find((each) => each.id === id)
  if (found === undefined) throw new AppProblem(404, 'resource_missing', `No such ${kind}: '${id}'`)
  return found
}

/** Returns a list of Stripe. */
const listOf = (list: readonly Thing[]): Answer => ({ list, body: { object: 'list' } })

type OfCustomer = { customer?: string; status?: string; active?: boolean; product?: string }

const has = (wanted: OfCustomer) => (item: object) =>
  Object.entries(wanted).every(([key, value]) => value === undefined || item[key as keyof typeof item] === value)

/** Understands clauses such as `name:'Ada' AND metadata['plan']:'pro'`; `~` looks for a part. Letter case does not count. */
function searchCustomers({ store, args }: Call<Store, { query: string }>): Answer {
  const clauses = args.query.split(/\s+AND\s+/i).map((text) => {
    const [, not, field = '', key, operator, value = ''] = /^(-?)(\w+)(?:\[["'](.+)["']\])?([:~])["'](.*)["']$/.exec(text.trim()) ?? []
    if (operator === undefined) throw invalid('parameter_invalid', `We were unable to parse your search query: ${text}`)
    return { not: not === '-', field, key, whole: operator === ':' && field !== 'name', value: value.toLowerCase() }
  })
  const found = store.customers.filter((customer) =>
    clauses.every(({ not, field, key, whole, value }) => {
      const own = customer[field as keyof Customer]
      const text = String((key === undefined ? own : (own as Record<string, string> | null)?.[key]) ?? '').toLowerCase()
      return (whole ? text === value : text.includes(value)) !== not
    }),
  )
  return { list: found, body: { object: 'search_result' } }
}

function createRefund({ store, args, now }: Call<Store, { payment_intent: string; amount?: number; reason?: string }>): Answer {
  const payment = find(store.payments, args.payment_intent, 'payment_intent')
  const left = payment.amount - payment.amount_refunded
  const { amount = left, reason = null } = args
  if (left === 0) throw invalid('charge_already_refunded', `Charge ${payment.latest_charge} has already been refunded.`)
  if (amount > left) throw invalid('amount_too_large', `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`)
  payment.amount_refunded += amount
  store.refunded += amount
  const of = { payment_intent: payment.id, charge: payment.latest_charge }
  return { body: thing(store, 're', 'refund', now, { status: 'succeeded', amount, currency: CURRENCY, reason, ...of }) }
}

type NewItem = { customer: string; amount: number; currency: string; description?: string; invoice?: string }

function addInvoiceItem({ store, args, now }: Call<Store, NewItem>): Answer {
  find(store.customers, args.customer, 'customer')
  if (args.invoice !== undefined) {
    const invoice = find(store.invoices, args.invoice, 'invoice')
    if (invoice.customer !== args.customer) throw invalid('invoice_customer_mismatch', 'The invoice belongs to another customer.')
    if (invoice.status !== 'draft') throw invalid('invoice_not_editable', `Invoice ${invoice.id} can no longer be edited.`)
    setAmount(invoice, invoice.total + args.amount)
  }
  return { body: thing(store, 'ii', 'invoiceitem', now, { description: null, invoice: null, ...args }) }
}

function sendInvoice({ store, args, now }: Call<Store, { invoice_id: string }>): Answer {
  const invoice = find(store.invoices, args.invoice_id, 'invoice')
  if (!['draft', 'open'].includes(invoice.status)) throw invalid('invoice_not_editable', `The invoice is ${invoice.status}.`)
  if (invoice.collection_method !== 'send_invoice') {
    throw invalid('invoice_not_sendable', "You can only manually send an invoice if its collection method is 'send_invoice'.")
  }
  if (invoice.status === 'draft') finalise(store, invoice, now)
  return { body: invoice }
}

function cancelSubscription({ store, args, now }: Call<Store, { subscription_id: string }>): Answer {
  const subscription = find(store.subscriptions, args.subscription_id, 'subscription')
  if (subscription.status === 'canceled') throw new AppProblem(404, 'resource_missing', `No such subscription: '${subscription.id}'`)
  Object.assign(subscription, { status: 'canceled', canceled_at: seconds(now), ended_at: seconds(now) })
  return { body: subscription }
}

const ACCOUNT = {
  id: 'acct_sandbox',
  object: 'account',
  email: 'joe@example.com',
  country: 'PT',
  default_currency: CURRENCY,
  business_profile: { name: 'Example Ltd', url: 'https://example.com' },
  settings: { dashboard: { display_name: 'Example Ltd' } },
  charges_enabled: true,
  payouts_enabled: true,
}

export const stripe: Imitation<Store> = {
  seed,
  problem: ({ status, code, message }) => ({ status, body: { error: { type: 'invalid_request_error', code, message } } }),
  functions: {
    'get-account': () => ({ body: ACCOUNT }),
    'get-balance': ({ store }) => {
      const received = store.payments.reduce((sum, { amount }) => sum + amount, 0)
      const amounts = (amount: number) => [{ amount, currency: CURRENCY }]
      return { body: { object: 'balance', available: amounts(received - store.refunded), pending: amounts(4_900), livemode: false } }
    },
    'create-customer': ({ store, args, now }: Call<Store, Partial<Customer>>) => ({ body: addCustomer(store, now, args) }),
    'get-customer': ({ store, args }: Call<Store, { customer_id: string }>) => ({
      body: find(store.customers, args.customer_id, 'customer'),
    }),
    'list-customers': ({ store, args }: Call<Store, { email?: string; created_after?: number }>) => {
      const { email, created_after: after = 0 } = args
      return listOf(store.customers.filter((each) => (email === undefined || each.email === email) && each.created >= after))
    },
    'search-customers': searchCustomers,
    'list-invoices': ({ store, args: { customer, status } }: Call<Store, OfCustomer>) =>
      listOf(store.invoices.filter(has({ customer, status }))),
    'create-invoice': ({ store, args, now }: Call<Store, NewInvoice>) => {
      const { email } = find(store.customers, args.customer, 'customer')
      if (args.collection_method === 'send_invoice' && args.days_until_due === undefined) {
        throw invalid('parameter_missing', 'days_until_due is required with the collection method send_invoice.')
      }
      return { body: addInvoice(store, now, { ...args, customer_email: email }) }
    },
    'add-invoice-item': addInvoiceItem,
    'send-invoice': sendInvoice,
    'list-payments': ({ store, args: { customer } }: Call<Store, OfCustomer>) => listOf(store.payments.filter(has({ customer }))),
    'create-refund': createRefund,
    'list-subscriptions': ({ store, args: { customer, status } }: Call<Store, OfCustomer>) => {
      const own = store.subscriptions.filter(has({ customer }))
      if (status === 'all') return listOf(own)
      return listOf(
        own.filter((each) => (status === undefined ? each.status !== 'canceled' : each.status === status.replace('ended', 'canceled'))),
      )
    },
    'cancel-subscription': cancelSubscription,
    'list-products': ({ store, args: { active } }: Call<Store, OfCustomer>) => listOf(store.products.filter(has({ active }))),
    'list-prices': ({ store, args: { product, active } }: Call<Store, OfCustomer>) => listOf(store.prices.filter(has({ product, active }))),
    'create-payment-link': ({ store, args, now }: Call<Store, { price: string }>) => {
      const { id } = find(store.prices, args.price, 'price')
      const url = `https://buy.stripe.example.com/${id}`
      return { body: thing(store, 'plink', 'payment_link', now, { url, active: true, currency: CURRENCY }) }
    },
  },
}
