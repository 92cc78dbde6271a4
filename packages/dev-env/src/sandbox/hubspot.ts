import { type Answer, AppProblem, type Call, containsAll, daysBefore, findBy, given, type Imitation } from './imitation.ts'

type Properties = Record<string, string | undefined>
type CrmObject = {
  readonly id: string
  properties: Properties
  readonly createdAt: string
  updatedAt: string
  readonly archived: boolean
  /** The contact of a note. */
  readonly contact?: string
}
type Kind = 'contacts' | 'companies' | 'deals' | 'notes'
type Store = { next: number } & { readonly [kind in Kind]: CrmObject[] }

/** The properties that HubSpot returns in any case. */
const USUAL: Readonly<Record<Kind, readonly string[]>> = {
  contacts: ['email', 'firstname', 'lastname', 'phone', 'company'],
  companies: ['name', 'domain'],
  deals: ['dealname', 'amount', 'dealstage', 'pipeline', 'closedate'],
  notes: ['hs_note_body', 'hs_timestamp'],
}
const STAGES = [
  ['appointmentscheduled', 'Appointment scheduled'],
  ['qualifiedtobuy', 'Qualified to buy'],
  ['contractsent', 'Contract sent'],
  ['closedwon', 'Closed won'],
  ['closedlost', 'Closed lost'],
] as const
const PIPELINE = {
  id: 'default',
  label: 'Sales pipeline',
  displayOrder: 0,
  archived: false,
  stages: STAGES.map(([id, label], displayOrder) => ({ id, label, displayOrder })),
}
const OWNERS = ['Joe Miller', 'Ada Ashgrove', 'Priya Iversand'].map((name, index) => {
  const [firstName = '', lastName = ''] = name.split(' ')
  return {
    id: String(71 + index),
    email: `${firstName.toLowerCase()}@example.com`,
    firstName,
    lastName,
    userId: 71 + index,
    archived: false,
  }
})

const COMPANIES = ['Northwind Traders', 'Harbour & Sons', 'Solstice Energy', 'Kestrel Logistics', 'Larkspur Clinic']
const PEOPLE = [
  'Chiara Carrowby',
  'Dmitri Dunnekar',
  'Eilidh Esterhal',
  'Farid Fairlund',
  'Greta Hollowell',
  'Hiro Ashgrove',
  'Inés Belmondez',
]
const MORE_PEOPLE = [
  'Jonas Carrowby',
  'Kwame Dunnekar',
  'Noor Fairlund',
  'Oskar Hollowell',
  'Rosa Jaromil',
  'Sanna Esterhal',
  'Uma Iversand',
]
const DEALS: readonly [name: string, stage: string, amount: string, closesInDays: number][] = [
  ['Northwind renewal', 'contractsent', '12000', 12],
  ['Harbour pilot', 'qualifiedtobuy', '3500', 30],
  ['Solstice rollout', 'appointmentscheduled', '48000', 60],
  ['Kestrel starter plan', 'closedwon', '1800', -14],
  ['Larkspur add-on', 'closedlost', '900', -30],
]

const domainOf = (company: string) => `${company.toLowerCase().replace(/\W+/g, '-')}.example`
const plain = (text: string) => text.normalize('NFD').replace(/[^\w]/g, '').toLowerCase()

function seed(now: Date): Store {
  const store: Store = { next: 501, contacts: [], companies: [], deals: [], notes: [] }
  for (const name of COMPANIES)
    add(store, 'companies', { name, domain: domainOf(name), city: 'Lisbon', country: 'Portugal' }, daysBefore(now, 80))
  for (const [index, name] of [...PEOPLE, ...MORE_PEOPLE].entries()) {
    const [firstname = '', lastname = ''] = name.split(' ')
    const company = COMPANIES[index % COMPANIES.length] ?? ''
    const email = `${plain(firstname)}.${plain(lastname)}@${domainOf(company)}`
    const phone = `+1-202-555-01${String(index + 10)}`
    const lifecyclestage = index % 3 === 0 ? 'customer' : 'lead'
    add(store, 'contacts', { email, firstname, lastname, phone, company, lifecyclestage }, daysBefore(now, 60 - 3 * index))
  }
  for (const [dealname, dealstage, amount, days] of DEALS) {
    const closedate = daysBefore(now, -days).toISOString()
    add(store, 'deals', { dealname, dealstage, amount, pipeline: PIPELINE.id, closedate, hubspot_owner_id: '71' }, daysBefore(now, 40))
  }
  return store
}

function add(store: Store, kind: Kind, properties: Properties, now: Date, contact?: string): CrmObject {
  const [id, time] = [String(store.next++), now.toISOString()]
  const own = { ...given(properties), createdate: time, hs_object_id: id }
  const added: CrmObject = { id, properties: own, createdAt: time, updatedAt: time, archived: false, ...given({ contact }) }
  store[kind].push(added)
  return added
}

const invalid = (message: string) => new AppProblem(400, 'VALIDATION_ERROR', message)

function find(store: Store, kind: Kind, id: string): CrmObject {
  const found = findBy(store[kind], { id })
  if (found === undefined) throw new AppProblem(404, 'OBJECT_NOT_FOUND', `No object of ${kind} has the id ${id}.`)
  return found
}

/** Returns an object with its usual properties and those that the caller asks for. */
function shown(kind: Kind, { contact: _contact, ...object }: CrmObject, asked: readonly string[] = []) {
  const names = new Set([...USUAL[kind], ...asked, 'createdate', 'hs_object_id'])
  return { ...object, properties: Object.fromEntries([...names].map((name) => [name, object.properties[name] ?? null])) }
}

type Asked = { readonly properties?: string[] }

const list =
  (kind: Kind) =>
  ({ store, args }: Call<Store, Asked>): Answer => ({ list: store[kind].map((each) => shown(kind, each, args.properties)) })

function change(kind: Kind, object: CrmObject, properties: Properties, now: Date): Answer {
  Object.assign(object.properties, given(properties))
  object.updatedAt = now.toISOString()
  return { body: shown(kind, object, Object.keys(properties)) }
}

function checkContact(store: Store, { email }: Properties, id?: string): void {
  const other = store.contacts.find((each) => each.id !== id && each.properties.email?.toLowerCase() === email?.toLowerCase())
  if (email && other) throw new AppProblem(409, 'CONFLICT', `Contact already exists. Existing ID: ${other.id}`)
}

function checkDeal({ dealstage, pipeline, hubspot_owner_id }: Properties): void {
  if (pipeline !== undefined && pipeline !== PIPELINE.id) throw invalid(`There is no pipeline ${pipeline}; there is ${PIPELINE.id}.`)
  const stages = STAGES.map(([id]) => id as string)
  if (dealstage !== undefined && !stages.includes(dealstage))
    throw invalid(`There is no stage ${dealstage}; there are ${stages.join(', ')}.`)
  if (hubspot_owner_id !== undefined && !findBy(OWNERS, { id: hubspot_owner_id })) throw invalid(`There is no owner ${hubspot_owner_id}.`)
}

type ContactArgs = Readonly<
  Record<'email' | 'first_name' | 'last_name' | 'phone' | 'company' | 'job_title' | 'lifecycle_stage' | 'owner_id', string>
>

function createContact({ store, args, now }: Call<Store, ContactArgs>): Answer {
  const { email, first_name, last_name, phone, company, job_title, lifecycle_stage, owner_id } = args
  checkContact(store, { email })
  const named = { email, firstname: first_name, lastname: last_name, phone, company, jobtitle: job_title }
  const contact = add(store, 'contacts', { ...named, lifecyclestage: lifecycle_stage, hubspot_owner_id: owner_id }, now)
  return { status: 201, body: shown('contacts', contact, Object.keys(contact.properties)) }
}

function searchContacts({ store, args }: Call<Store, Asked & { query?: string; email?: string }>): Answer {
  const { query = '', email, properties } = args
  const words = query.split(/\s+/)
  const found = store.contacts.filter(({ properties: own }) => {
    const text = USUAL.contacts.map((name) => own[name] ?? '').join(' ')
    return containsAll(text, words) && (email === undefined || own.email === email.toLowerCase())
  })
  return { list: found.map((each) => shown('contacts', each, properties)), body: { total: found.length } }
}

type DealArgs = Readonly<Record<'name' | 'stage' | 'pipeline' | 'amount' | 'close_date' | 'owner_id', string>>

const dealProperties = ({ name, stage, pipeline, amount, close_date, owner_id }: DealArgs): Properties =>
  given({ dealname: name, dealstage: stage, pipeline, amount, closedate: close_date, hubspot_owner_id: owner_id })

type CompanyArgs = Readonly<Record<'name' | 'domain' | 'phone' | 'city' | 'country' | 'owner_id', string>>

export const hubspot: Imitation<Store> = {
  seed,
  problem: ({ status, code, message }) => ({
    status,
    body: { status: 'error', message, correlationId: '00000000-0000-0000-0000-000000000000', category: code },
  }),
  functions: {
    'get-account': () => ({
      body: {
        portalId: 4_100_000,
        accountType: 'DEVELOPER_TEST',
        timeZone: 'Europe/Lisbon',
        companyCurrency: 'EUR',
        uiDomain: 'app.hubspot.com',
      },
    }),
    'create-contact': createContact,
    'get-contact': ({ store, args }: Call<Store, Asked & { contact_id: string }>) => ({
      body: shown('contacts', find(store, 'contacts', args.contact_id), args.properties),
    }),
    'update-contact': ({ store, args, now }: Call<Store, { contact_id: string; properties: Properties }>) => {
      const contact = find(store, 'contacts', args.contact_id)
      checkContact(store, args.properties, contact.id)
      return change('contacts', contact, args.properties, now)
    },
    'list-contacts': list('contacts'),
    'search-contacts': searchContacts,
    'add-contact-note': ({ store, args, now }: Call<Store, { contact_id: string; note: string; timestamp: string }>) => {
      const { id } = find(store, 'contacts', args.contact_id)
      return { status: 201, body: shown('notes', add(store, 'notes', { hs_note_body: args.note, hs_timestamp: args.timestamp }, now, id)) }
    },
    'list-companies': list('companies'),
    'create-company': ({ store, args: { owner_id, ...own }, now }: Call<Store, CompanyArgs>) => {
      const company = add(store, 'companies', { ...own, hubspot_owner_id: owner_id }, now)
      return { status: 201, body: shown('companies', company, Object.keys(company.properties)) }
    },
    'list-deals': list('deals'),
    'create-deal': ({ store, args, now }: Call<Store, DealArgs>) => {
      const properties = { pipeline: PIPELINE.id, ...dealProperties(args) }
      checkDeal(properties)
      return { status: 201, body: shown('deals', add(store, 'deals', properties, now)) }
    },
    'update-deal': ({ store, args, now }: Call<Store, DealArgs & { deal_id: string }>) => {
      const properties = dealProperties(args)
      checkDeal(properties)
      return change('deals', find(store, 'deals', args.deal_id), properties, now)
    },
    'list-owners': ({ args }: Call<Store, { email?: string }>) => ({
      list: OWNERS.filter(({ email }) => args.email === undefined || email === args.email),
    }),
    'list-deal-pipelines': () => ({ list: [PIPELINE] }),
  },
}
