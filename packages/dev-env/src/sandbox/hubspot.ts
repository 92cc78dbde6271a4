import { AppProblem, type Call, contains, daysBefore, findBy, type ImitatedResponse, type Imitation, need } from './imitation.ts'

type Properties = Record<string, string | undefined>
type CrmObject = { readonly id: string; readonly properties: Properties; readonly createdAt: string; updatedAt: string }
type Kind = keyof typeof USUAL
type Store = { next: number } & { readonly [kind in Kind]: CrmObject[] }

/** The properties that HubSpot returns in any case. */
const USUAL = {
  contacts: ['email', 'firstname', 'lastname', 'phone', 'company'],
  companies: ['name', 'domain'],
  deals: ['dealname', 'amount', 'dealstage', 'pipeline', 'closedate'],
  notes: ['hs_note_body', 'hs_timestamp'],
}
const STAGES = ['appointmentscheduled', 'qualifiedtobuy', 'contractsent', 'closedwon', 'closedlost']
const STAGE_LABELS = ['Appointment scheduled', 'Qualified to buy', 'Contract sent', 'Closed won', 'Closed lost']
const stages = STAGE_LABELS.map((label, displayOrder) => ({ id: STAGES[displayOrder], label, displayOrder }))
const PIPELINE = { id: 'default', label: 'Sales pipeline', displayOrder: 0, archived: false, stages }
const owner = (userId: number, firstName: string, lastName: string) => {
  return { id: String(userId), userId, firstName, lastName, email: `${firstName.toLowerCase()}@example.com`, archived: false }
}
const OWNERS = [owner(71, 'Joe', 'Miller'), owner(72, 'Ada', 'Ashgrove'), owner(73, 'Priya', 'Iversand')]

const COMPANIES = ['Northwind Traders', 'Harbour & Sons', 'Solstice Energy', 'Kestrel Logistics', 'Larkspur Clinic']
const FIRST_NAMES = [
  'Chiara',
  'Dmitri',
  'Eilidh',
  'Farid',
  'Greta',
  'Hiro',
  'Inês',
  'Jonas',
  'Kwame',
  'Noor',
  'Oskar',
  'Rosa',
  'Sanna',
  'Uma',
]
const LAST_NAMES = ['Carrowby', 'Dunnekar', 'Esterhal', 'Fairlund', 'Hollowell']
const DEALS = [
  ['Northwind renewal', 'contractsent', '12000', 12],
  ['Harbour pilot', 'qualifiedtobuy', '3500', 30],
  ['Solstice rollout', 'appointmentscheduled', '48000', 60],
  ['Kestrel starter plan', 'closedwon', '1800', -14],
] as const

function seed(now: Date): Store {
  const store: Store = { next: 501, contacts: [], companies: [], deals: [], notes: [] }
  const domainOf = (company = '') => `${company.toLowerCase().replace(/\W+/g, '-')}.example`
  for (const name of COMPANIES) add(store, 'companies', { name, domain: domainOf(name), city: 'Lisbon' }, daysBefore(now, 80))
  for (const [index, firstname] of FIRST_NAMES.entries()) {
    const [lastname, company] = [LAST_NAMES, COMPANIES].map((names) => names[index % names.length])
    const email = `${firstname}.${lastname}@${domainOf(company)}`
      .normalize('NFD')
      .replace(/[^\w.@-]/g, '')
      .toLowerCase()
    const own = { phone: `+1-202-555-01${index + 10}`, lifecyclestage: index % 3 === 0 ? 'customer' : 'lead' }
    add(store, 'contacts', { email, firstname, lastname, company, ...own }, daysBefore(now, 60 - 3 * index))
  }
  for (const [dealname, dealstage, amount, days] of DEALS) {
    const closedate = daysBefore(now, -days).toISOString()
    add(store, 'deals', { dealname, dealstage, amount, pipeline: PIPELINE.id, closedate, hubspot_owner_id: '71' }, daysBefore(now, 40))
  }
  return store
}

function add(store: Store, kind: Kind, properties: Properties, now: Date): CrmObject {
  const [id, time] = [String(store.next++), now.toISOString()]
  const own = { ...properties, createdate: time, hs_object_id: id }
  const added = { id, properties: own, createdAt: time, updatedAt: time }
  store[kind].push(added)
  return added
}

const invalid = (message: string) => new AppProblem(400, 'VALIDATION_ERROR', message)

const find = (store: Store, kind: Kind, id: string) =>
  need(findBy(store[kind], { id }), new AppProblem(404, 'OBJECT_NOT_FOUND', `No object of ${kind} has the id ${id}.`))

/** Returns an object with its usual properties and those that the caller asks for. */
function shown(kind: Kind, object: CrmObject, asked: readonly string[] = []) {
  const names = new Set([...USUAL[kind], ...asked, 'createdate', 'hs_object_id'])
  return { ...object, archived: false, properties: Object.fromEntries([...names].map((name) => [name, object.properties[name] ?? null])) }
}

/** Throws a problem if an object cannot have these properties. `id` is the object that gets them. */
function check(store: Store, { email, dealstage, pipeline, hubspot_owner_id: ownerId }: Properties, id?: string): void {
  const other = store.contacts.find((each) => each.id !== id && each.properties.email?.toLowerCase() === email?.toLowerCase())
  if (email && other) throw new AppProblem(409, 'CONFLICT', `Contact already exists. Existing ID: ${other.id}`)
  if (pipeline !== undefined && pipeline !== PIPELINE.id) throw invalid(`There is no pipeline ${pipeline}; there is ${PIPELINE.id}.`)
  if (dealstage !== undefined && !STAGES.includes(dealstage))
    throw invalid(`There is no stage ${dealstage}; there are ${STAGES.join(', ')}.`)
  if (ownerId !== undefined && !findBy(OWNERS, { id: ownerId })) throw invalid(`There is no owner ${ownerId}.`)
}

/** Returns the properties in the body of a request: the app file says which argument is which property. */
const sentIn = (body: unknown) => (body as { properties: Properties }).properties

const create =
  (kind: Kind, defaults: Properties = {}) =>
  ({ store, body, now }: Call<Store>): ImitatedResponse => {
    const properties = { ...defaults, ...sentIn(body) }
    check(store, properties)
    return { status: 201, body: shown(kind, add(store, kind, properties, now), Object.keys(properties)) }
  }

const update =
  (kind: Kind) =>
  ({ store, args, body, now }: Call<Store, { contact_id?: string; deal_id?: string }>): ImitatedResponse => {
    const object = find(store, kind, args.contact_id ?? args.deal_id ?? '')
    check(store, sentIn(body), object.id)
    Object.assign(object.properties, sentIn(body))
    object.updatedAt = now.toISOString()
    return { body: shown(kind, object, Object.keys(sentIn(body))) }
  }

type Asked = { readonly properties?: string[] }

const list =
  (kind: Kind) =>
  ({ store, args }: Call<Store, Asked>): ImitatedResponse => ({ list: store[kind].map((each) => shown(kind, each, args.properties)) })

function searchContacts({ store, args }: Call<Store, Asked & { query?: string; email?: string }>): ImitatedResponse {
  const { query = '', email, properties } = args
  const found = store.contacts.filter(({ properties: own }) => {
    const text = USUAL.contacts.map((name) => own[name] ?? '').join(' ')
    return query.split(/\s+/).every((word) => contains(text, word)) && (email === undefined || own.email === email.toLowerCase())
  })
  return { list: found.map((each) => shown('contacts', each, properties)), body: { total: found.length } }
}

const ACCOUNT = { portalId: 4_100_000, accountType: 'DEVELOPER_TEST', timeZone: 'Europe/Lisbon', companyCurrency: 'EUR' }

export const hubspot: Imitation<Store> = {
  seed,
  problem: ({ status, code, message }) => ({ status, body: { status: 'error', message, correlationId: 'sandbox', category: code } }),
  functions: {
    'get-account': () => ({ body: ACCOUNT }),
    'create-contact': create('contacts'),
    'get-contact': ({ store, args: { contact_id: id, properties } }: Call<Store, Asked & { contact_id: string }>) => ({
      body: shown('contacts', find(store, 'contacts', id), properties),
    }),
    'update-contact': update('contacts'),
    'list-contacts': list('contacts'),
    'search-contacts': searchContacts,
    'add-contact-note': (call: Call<Store, { contact_id: string }>) => {
      find(call.store, 'contacts', call.args.contact_id)
      return create('notes')(call)
    },
    'list-companies': list('companies'),
    'create-company': create('companies'),
    'list-deals': list('deals'),
    'create-deal': create('deals', { pipeline: PIPELINE.id }),
    'update-deal': update('deals'),
    'list-owners': ({ args }: Call<Store, { email?: string }>) => ({
      list: OWNERS.filter(({ email }) => args.email === undefined || email === args.email),
    }),
    'list-deal-pipelines': () => ({ list: [PIPELINE] }),
  },
}
