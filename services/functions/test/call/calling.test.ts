import type { Received } from '@onward/testbed'
import { SECRETS, type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'phone', 'notes'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

/** Calls a function and returns the one request that the third party received. */
async function sent(name: string, body?: object | string, query = ''): Promise<Received> {
  await joe.call(name, body, query).expect(200)
  expect(onward.third.received).toHaveLength(1)
  return onward.third.received[0] as Received
}

describe('the credentials of an onward call', () => {
  it('are sent in a header, with the prefix of the app', async () => {
    const { headers } = await sent('desk-list-labels')
    expect(headers).toMatchObject({ 'x-desk-key': `Token ${SECRETS.desk.api_key}`, 'x-desk-version': '3' })
    expect(headers.authorization).toBeUndefined()
  })

  it('are sent in the query, percent-encoded', async () => {
    const { url } = await sent('maps-find-place', { address: 'Rue & Co, 5' })
    expect(url).toBe(`/places?q=Rue%20%26%20Co%2C%205&key=${encodeURIComponent(SECRETS.maps.api_key)}`)
  })

  it('are sent in Authorization as a bearer token', async () => {
    expect((await sent('crm-list-contacts')).headers.authorization).toBe(`Bearer ${SECRETS.crm.token}`)
  })

  it('are sent in Authorization as basic credentials', async () => {
    const { username, password } = SECRETS.phone
    const { headers } = await sent('phone-send-text', { to: '+1', body: 'hi' })
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  })

  it('are absent when the app has no authentication', async () => {
    const { headers, url } = await sent('notes-read-notes')
    expect(headers.authorization).toBeUndefined()
    expect(url).toBe('/notes')
  })

  it('never include a header of the caller', async () => {
    const { headers } = await sent('notes-read-notes')
    expect(Object.keys(headers).sort((a, b) => a.localeCompare(b))).toEqual([
      'accept',
      'accept-encoding',
      'cdn-loop',
      'connection',
      'host',
      'user-agent',
    ])
  })
})

describe('an onward call', () => {
  it('is sent below the base path of the account', async () => {
    const user = onward.user('below')
    await user.connect('notes', { url: `${onward.third.url}/deep/down/` })
    await user.call('notes-read-notes').expect(200)
    expect(onward.third.received[0]?.url).toBe('/deep/down/notes')
  })

  it('carries each parameter in the path, query or header that the app names', async () => {
    const got = await sent('desk-get-ticket', { ticket_id: 'a b/../c?d#e%2f', fields: ['x', 'y z'], trace: 'é' })
    expect(got).toMatchObject({ method: 'GET', url: '/tickets/a%20b%2F..%2Fc%3Fd%23e%252f?fields=x%2Cy%20z', body: '' })
    expect(got.headers['x-trace']).toBe('é')
  })

  it('leaves out missing parameters and fills in defaults', async () => {
    expect((await sent('desk-get-ticket', { ticket_id: '7' })).url).toBe('/tickets/7')
    onward.third.received.length = 0
    expect(JSON.parse((await sent('desk-create-ticket', { subject: 'a' })).body)).toEqual({ subject: 'a', priority: 3 })
  })

  it('carries a JSON body that keeps the type of each value', async () => {
    const args = { subject: 'a', priority: 1, public: false, tags: ['bug'], scores: { x: 1 }, customer: { name: 'ä\u0000🙂', age: 3 } }
    const { headers, body } = await sent('desk-create-ticket', args)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual(args)
  })

  it('carries a form body when the app takes forms', async () => {
    const args = { email: 'a@b.example', age: 3, vip: true, phones: ['+1', '+2'], address: { city: 'Łódź', lines: ['1 & 2'] } }
    const { headers, body } = await sent('crm-create-contact', args)
    expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
    expect([...new URLSearchParams(body)]).toEqual([
      ['email', 'a@b.example'],
      ['age', '3'],
      ['vip', 'true'],
      ['phones[0]', '+1'],
      ['phones[1]', '+2'],
      ['address[city]', 'Łódź'],
      ['address[lines][0]', '1 & 2'],
    ])
  })

  it('is the same when the caller sends a form instead of JSON', async () => {
    const form = 'subject=a+b&priority=2&public=true&tags[]=bug&tags[]=wish&scores[x]=1&customer[name]=Ada&customer[age]=3'
    const { body } = await sent('desk-create-ticket', form)
    const expected = {
      subject: 'a b',
      priority: 2,
      public: true,
      tags: ['bug', 'wish'],
      scores: { x: 1 },
      customer: { name: 'Ada', age: 3 },
    }
    expect(JSON.parse(body)).toEqual(expected)
  })

  it.each(['true', 'True', '1'])('carries true when the form of the caller has %s for a boolean', async (spelling) => {
    await joe.call('desk-create-ticket', `subject=a&priority=2&public=${spelling}`).expect(200)
    expect(JSON.parse(onward.third.received[0]?.body ?? '')).toMatchObject({ public: true })
  })

  it('is sent for a caller without a body, with and without a trailing slash', async () => {
    await joe.post('/functions/notes-read-notes/call/').expect(200)
    await joe.post('/functions/notes-read-notes/call').set('content-type', 'text/plain').expect(200)
    await joe.post('/functions/notes-read-notes/call', '').set('content-type', 'application/json').expect(200)
    expect(onward.third.received).toHaveLength(3)
  })

  it('is sent for a body with the extra fields of published clients', async () => {
    await joe.call('notes-read-notes', { cursor: 'x', query_string_data: {}, _variables: null, _cursor: null }).expect(200)
  })
})

describe('filling variables', () => {
  const _variables = {
    name: 'Ada',
    age: 36,
    vip: true,
    none: null,
    list: [1, { a: 'b' }],
    contact: { email: 'a@b.example', 'first-name': 'A' },
    items: [{ id: 7 }],
    nested: '{name}',
    brace: 'a}b',
  }

  it.each<[unknown, unknown]>([
    ['{name}', 'Ada'],
    ['{age}', 36],
    ['{vip}', true],
    ['{none}', null],
    ['{list}', [1, { a: 'b' }]],
    ['{contact}', _variables.contact],
    ['{contact.email}', 'a@b.example'],
    ['{contact.first-name}', 'A'],
    ['{items.0.id}', 7],
    ['Dear {name}, {age} today', 'Dear Ada, 36 today'],
    ['{name}{age}', 'Ada36'],
    ['{list} and {contact.email}', '[1,{"a":"b"}] and a@b.example'],
    ['{vip}, {none}', 'true, null'],
    ['{{name}}', '{name}'],
    ['{{{name}}}', '{Ada}'],
    ['{{ {name} }}', '{ Ada }'],
    ['{nested}', '{name}'],
    ['x {nested} {brace}', 'x {name} a}b'],
    ['{ name }', '{ name }'],
    ['{}', '{}'],
    ['{1}', '{1}'],
    ['{a b}', '{a b}'],
    ['{"json": 1}', '{"json": 1}'],
    ['{name', '{name'],
    ['a } b { c', 'a } b { c'],
    [' {age} ', ' 36 '],
    [
      { deep: [{ er: ['{age}', 'x{age}'] }], '{name}': 1 },
      { deep: [{ er: [36, 'x36'] }], '{name}': 1 },
    ],
    [
      [5, true, null],
      [5, true, null],
    ],
  ])('turns %j into %j', async (value, expected) => {
    const { body } = await sent('notes-add-note', { note: { value }, _variables })
    expect(JSON.parse(body)).toEqual({ note: { value: expected } })
  })

  it('leaves tags unchanged without _variables', async () => {
    const note = { a: '{name}', b: '{{name}}', c: 'x {age} y' }
    expect(JSON.parse((await sent('notes-add-note', { note })).body)).toEqual({ note })
    onward.third.received.length = 0
    expect(JSON.parse((await sent('notes-add-note', { note, _variables: null })).body)).toEqual({ note })
  })

  it('checks the filled-in value against the schema', async () => {
    const { body } = await sent('desk-create-ticket', { subject: '{name}', priority: '{age}', _variables: { name: 'a', age: 4 } })
    expect(JSON.parse(body)).toEqual({ subject: 'a', priority: 4 })
    const refused = await joe.call('desk-create-ticket', { subject: 'a', priority: '{age}', _variables }).expect(400)
    expect(refused.body.error_details).toEqual(['priority: must be a whole number, 1 to 5'])
  })

  it.each<[string, string[]]>([
    ['{who}', ['who']],
    ['Dear {who} of {where.ever}', ['who', 'where.ever']],
    ['{name.first}', ['name.first']],
    ['{items.1.id}', ['items.1.id']],
    ['{items.length}', ['items.length']],
    ['{__proto__}', ['__proto__']],
    ['{constructor.name}', ['constructor.name']],
    ['{contact.toString}', ['contact.toString']],
    ['{Name}', ['Name']],
  ])('refuses %s and names each missing variable', async (value, tags) => {
    const { body } = await joe.call('notes-add-note', { note: { value }, _variables }).expect(400)
    expect(body).toEqual({
      error: expect.any(String),
      error_details: tags.map((tag) => `_variables: has no value for {${tag}}`),
      code: 'invalid_parameters',
      request_id: expect.any(String),
    })
    expect(onward.third.received).toHaveLength(0)
  })

  it('replaces 10,000 tags', async () => {
    const { body } = await sent('notes-add-note', { note: { value: '{age}'.repeat(10_000) }, _variables })
    expect(JSON.parse(body).note.value).toBe('36'.repeat(10_000))
  })
})
