import { AppProblem, type Call, daysBefore, findBy, type ImitatedResponse, type Imitation, need, seconds } from './imitation.ts'

/** The beginnings of ids, by the kind of object. */
const PREFIXES = {
  customer: 'cus',
  product: 'prod',
  price: 'price',
  payment_intent: 'pi',
  refund: 're',
  invoice: 'in',
  invoiceitem: 'ii',
  subscription: 'sub',
  payment_link: 'plink',
}
type Kind = keyof typeof PREFIXES
type Text = 'name' | 'email' | 'phone' | 'nickname' | 'status' | 'customer' | 'product' | 'collection_method' | 'default_price'
type Numbers = Record<'amount' | 'amount_refunded' | 'unit_amount' | 'total' | 'days_until_due', number>
type Fields = Partial<Record<Text, string | null> & Numbers & { active: boolean; metadata: Record<string, string> }>
type Thing = Fields & { readonly id: string; readonly object: Kind; readonly created: number }
/** The newest object comes first, as in Stripe's lists. */
type Store = { next: number; readonly things: Thing[] }

const CURRENCY = 'eur'
const PLANS: readonly [product: string, price: string, amount: number, interval?: string][] = [
  ['Starter plan', 'Starter, monthly', 1_900, 'month'],
  ['Pro plan', 'Pro, monthly', 4_900, 'month'],
  ['Pro plan', 'Pro, yearly', 49_000, 'year'],
  ['Onboarding workshop', 'Workshop', 35_000],
]
const PEOPLE = ['Chiara Carrowby', 'Dmitri Dunnekar', 'Eilidh Esterhal', 'Farid Fairlund', 'Greta Hollowell', 'Hiro Ashgrove']
const FIRMS = ['Northwind Traders', 'Harbour and Sons', 'Solstice Energy', 'Kestrel Logistics', 'Larkspur Clinic', 'Juniper Books']

function seed(now: Date): Store {
  const store: Store = { next: 1, things: [] }
  const start = daysBefore(now, 200)
  for (const [name, nickname, unit_amount, interval] of PLANS) {
    const product = findBy(all(store, 'product'), { name }) ?? add(store, 'product', start, { name, active: true })
    const terms = interval === undefined ? { type: 'one_time' } : { type: 'recurring', recurring: { interval, interval_count: 1 } }
    const price = add(store, 'price', start, { product: product.id, nickname, unit_amount, active: true, currency: CURRENCY, ...terms })
    product.default_price ??= price.id
  }
  for (const [index, name] of [...PEOPLE, ...FIRMS].entries()) {
    const email = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`
    const [plan, nickname] = index % 3 === 0 ? ['pro', 'Pro, monthly'] : ['starter', 'Starter, monthly']
    const made = daysBefore(now, 120 - 9 * index)
    const customer = addCustomer(store, made, { name, email, phone: `+1-202-555-01${index + 30}`, metadata: { plan } })
    if (index % 2 === 0) addHistory(store, customer, nickname, index !== 4, daysBefore(now, 28 - 2 * index))
  }
  return store
}

/** Adds what a customer has bought: a subscription, an invoice, and a payment if it is paid. */
function addHistory(store: Store, { id: customer, email }: Thing, nickname: string, paid: boolean, time: Date): void {
  const price = findBy(all(store, 'price'), { nickname })
  const amount = price?.unit_amount ?? 0
  const items = { object: 'list', data: [{ id: `si_sandbox${store.next}`, quantity: 1, price }] }
  const ends = { cancel_at_period_end: false, cancel_at: null, canceled_at: null, start_date: seconds(time) }
  add(store, 'subscription', time, { status: paid ? 'active' : 'past_due', customer, currency: CURRENCY, items, ...ends })
  const invoice = addInvoice(store, time, { customer, customer_email: email, collection_method: 'send_invoice', days_until_due: 14 })
  setTotal(invoice, amount)
  finalise(store, invoice, time)
  if (!paid) return
  Object.assign(invoice, { status: 'paid', amount_paid: amount, amount_remaining: 0 })
  const received = { status: 'succeeded', amount, amount_received: amount, amount_refunded: 0, currency: CURRENCY }
  add(store, 'payment_intent', time, { ...received, customer, description: nickname, receipt_email: email })
}

function add(store: Store, object: Kind, now: Date, fields: Fields & Readonly<Record<string, unknown>>): Thing {
  const id = `${PREFIXES[object]}_sandbox${String(store.next++).padStart(8, '0')}`
  const added: Thing = { id, object, created: seconds(now), livemode: false, ...fields } as Thing
  store.things.unshift(added)
  return added
}

const all = (store: Store, object: Kind) => store.things.filter((thing) => thing.object === object)
const find = (store: Store, object: Kind, id: string) => need(findBy(store.things, { object, id }), missing(object, id))
const missing = (object: Kind, id: string) => new AppProblem(404, 'resource_missing', `No such ${object}: '${id}'`)
const invalid = (code: string, message: string) => new AppProblem(400, code, message)

function addCustomer(store: Store, now: Date, fields: Fields): Thing {
  const empty = { name: null, email: null, phone: null, description: null, address: null, metadata: {}, balance: 0, delinquent: false }
  return add(store, 'customer', now, { ...empty, ...fields })
}

function addInvoice(store: Store, now: Date, fields: Fields & { customer_email?: string | null }): Thing {
  const draft = { status: 'draft', collection_method: 'charge_automatically', currency: CURRENCY, number: null }
  const invoice = add(store, 'invoice', now, { ...draft, ...fields })
  setTotal(invoice, 0)
  return invoice
}

function setTotal(invoice: Thing, total: number): void {
  Object.assign(invoice, { total, amount_due: total, amount_paid: 0, amount_remaining: total })
}

function finalise(store: Store, invoice: Thing, now: Date): void {
  const number = `SANDBOX-${String(store.next++).padStart(4, '0')}`
  const due_date = seconds(daysBefore(now, -(invoice.days_until_due ?? 0)))
  Object.assign(invoice, { status: 'open', number, due_date, hosted_invoice_url: `https://invoice.stripe.example.com/${invoice.id}` })
}

/** Returns a function that lists the objects of a kind whose fields equal the arguments. */
const list =
  (kind: Kind) =>
  ({ store, args }: Call<Store, { limit?: number }>): ImitatedResponse => {
    const { limit: _limit, ...wanted } = args
    return listOf(all(store, kind).filter((each) => findBy([each], wanted) !== undefined))
  }

const listOf = (things: readonly Thing[]): ImitatedResponse => ({ list: things, body: { object: 'list' } })

/** Understands clauses such as `name:'Ada' AND metadata['plan']:'pro'`. Names may match in part, and so may other fields with `~`. */
function searchCustomers({ store, args }: Call<Store, { query: string }>): ImitatedResponse {
  const clauses = args.query.split(/\s+AND\s+/i).map((text) => {
    const [, not, field = '', key, operator, value = ''] = /^(-?)(\w+)(?:\[["'](.+)["']\])?([:~])["'](.*)["']$/.exec(text.trim()) ?? []
    if (operator === undefined) throw invalid('parameter_invalid', `We were unable to parse your search query: ${text}`)
    return { not: not === '-', field: field as keyof Fields, key, whole: operator === ':' && field !== 'name', value: value.toLowerCase() }
  })
  const matches = (customer: Thing) =>
    clauses.every(({ not, field, key, whole, value }) => {
      const text = String((key === undefined ? customer[field] : customer.metadata?.[key]) ?? '').toLowerCase()
      return (whole ? text === value : text.includes(value)) !== not
    })
  return { list: all(store, 'customer').filter(matches), body: { object: 'search_result' } }
}

function createRefund({ store, args, now }: Call<Store, { payment_intent: string; amount?: number; reason?: string }>): ImitatedResponse {
  const payment = find(store, 'payment_intent', args.payment_intent)
  const { amount: paid = 0, amount_refunded = 0 } = payment
  const { amount = paid - amount_refunded, reason = null, payment_intent } = args
  if (paid === amount_refunded) throw invalid('charge_already_refunded', 'The charge has already been refunded.')
  if (amount > paid - amount_refunded) throw invalid('amount_too_large', `Refund amount (${amount}) is greater than unrefunded amount`)
  payment.amount_refunded = amount_refunded + amount
  return { body: add(store, 'refund', now, { status: 'succeeded', amount, currency: CURRENCY, reason, payment_intent }) }
}

function createInvoice({ store, args, now }: Call<Store, Fields & { customer: string }>): ImitatedResponse {
  const { email: customer_email } = find(store, 'customer', args.customer)
  const sent = args.collection_method === 'send_invoice'
  if (sent && args.days_until_due === undefined) throw invalid('parameter_missing', 'days_until_due is required with send_invoice.')
  return { body: addInvoice(store, now, { ...args, customer_email }) }
}

function addInvoiceItem({ store, args, now }: Call<Store, { customer: string; amount: number; invoice?: string }>): ImitatedResponse {
  find(store, 'customer', args.customer)
  if (args.invoice !== undefined) {
    const invoice = find(store, 'invoice', args.invoice)
    if (invoice.status !== 'draft') throw invalid('invoice_not_editable', `Invoice ${invoice.id} can no longer be edited.`)
    if (invoice.customer !== args.customer) throw invalid('parameter_invalid', 'The invoice belongs to another customer.')
    setTotal(invoice, (invoice.total ?? 0) + args.amount)
  }
  return { body: add(store, 'invoiceitem', now, args) }
}

function sendInvoice({ store, args, now }: Call<Store, { invoice_id: string }>): ImitatedResponse {
  const invoice = find(store, 'invoice', args.invoice_id)
  if (!['draft', 'open'].includes(invoice.status ?? '')) throw invalid('invoice_not_editable', `The invoice is ${invoice.status}.`)
  const text = "You can only manually send an invoice if its collection method is 'send_invoice'."
  if (invoice.collection_method !== 'send_invoice') throw invalid('invoice_not_sendable', text)
  if (invoice.status === 'draft') finalise(store, invoice, now)
  return { body: invoice }
}

function cancelSubscription({ store, args, now }: Call<Store, { subscription_id: string }>): ImitatedResponse {
  const subscription = find(store, 'subscription', args.subscription_id)
  if (subscription.status === 'canceled') throw missing('subscription', subscription.id)
  Object.assign(subscription, { status: 'canceled', canceled_at: seconds(now), ended_at: seconds(now) })
  return { body: subscription }
}

function listSubscriptions({
  store,
  args: { customer, status = '' },
}: Call<Store, { customer?: string; status?: string }>): ImitatedResponse {
  const own = all(store, 'subscription').filter((each) => customer === undefined || each.customer === customer)
  const wanted = (each: Thing) => (status === '' ? each.status !== 'canceled' : each.status === status.replace('ended', 'canceled'))
  return listOf(status === 'all' ? own : own.filter(wanted))
}

function getBalance({ store }: Call<Store>): ImitatedResponse {
  const kept = all(store, 'payment_intent').reduce((sum, { amount = 0, amount_refunded = 0 }) => sum + amount - amount_refunded, 0)
  const amounts = (amount: number) => [{ amount, currency: CURRENCY }]
  return { body: { object: 'balance', available: amounts(kept), pending: amounts(4_900), livemode: false } }
}

const profile = { business_profile: { name: 'Example Ltd', url: 'https://example.com' }, email: 'joe@example.com', country: 'PT' }
const settings = { dashboard: { display_name: 'Example Ltd' } }
const ACCOUNT = { id: 'acct_sandbox', object: 'account', default_currency: CURRENCY, charges_enabled: true, ...profile, settings }

export const stripe: Imitation<Store> = {
  seed,
  problem: ({ status, code, message }) => ({ status, body: { error: { type: 'invalid_request_error', code, message } } }),
  functions: {
    'get-account': () => ({ body: ACCOUNT }),
    'get-balance': getBalance,
    'create-customer': ({ store, args, now }: Call<Store, Fields>) => ({ body: addCustomer(store, now, args) }),
    'get-customer': ({ store, args }: Call<Store, { customer_id: string }>) => ({ body: find(store, 'customer', args.customer_id) }),
    'list-customers': ({ store, args: { email, created_after = 0 } }: Call<Store, { email?: string; created_after?: number }>) =>
      listOf(all(store, 'customer').filter((each) => (email === undefined || each.email === email) && each.created >= created_after)),
    'search-customers': searchCustomers,
    'list-invoices': list('invoice'),
    'create-invoice': createInvoice,
    'add-invoice-item': addInvoiceItem,
    'send-invoice': sendInvoice,
    'list-payments': list('payment_intent'),
    'create-refund': createRefund,
    'list-subscriptions': listSubscriptions,
    'cancel-subscription': cancelSubscription,
    'list-products': list('product'),
    'list-prices': list('price'),
    'create-payment-link': ({ store, args, now }: Call<Store, { price: string }>) => {
      const url = `https://buy.stripe.example.com/${find(store, 'price', args.price).id}`
      return { body: add(store, 'payment_link', now, { url, active: true, currency: CURRENCY }) }
    },
  },
}
