import type { Received } from '@onward/testbed'
import { type Functions, openFunctions, SECRETS, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'phone', 'notes'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

/** Calls, and gives the one request that the third party received. */
async function sent(name: string, body?: object | string, query = ''): Promise<Received> {
  await joe.call(name, body, query).expect(200)
  expect(onward.third.received).toHaveLength(1)
  return onward.third.received[0] as Received
}

describe('the credentials', () => {
  it('go into a header, with its prefix', async () => {
    const { headers } = await sent('desk-list-labels')
    expect(headers).toMatchObject({ 'x-desk-key': `Token ${SECRETS.desk.api_key}`, 'x-desk-version': '3' })
    expect(headers.authorization).toBeUndefined()
  })

  it('go into the query, encoded', async () => {
    const { url } = await sent('maps-find-place', { address: 'Rue & Co, 5' })
    expect(url).toBe(`/places?q=Rue%20%26%20Co%2C%205&key=${encodeURIComponent(SECRETS.maps.api_key)}`)
  })

  it('go into Authorization as a bearer token', async () => {
    expect((await sent('crm-list-contacts')).headers.authorization).toBe(`Bearer ${SECRETS.crm.token}`)
  })

  it('go into Authorization as basic credentials', async () => {
    const { username, password } = SECRETS.phone
    const { headers } = await sent('phone-send-text', { to: '+1', body: 'hi' })
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  })

  it('are none where the app takes none', async () => {
    const { headers, url } = await sent('notes-read-notes')
    expect(headers.authorization).toBeUndefined()
    expect(url).toBe('/notes')
  })

  it("never hold any of the caller's own headers", async () => {
    const { headers } = await sent('notes-read-notes')
    expect(Object.keys(headers).sort((a, b) => a.localeCompare(b))).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ])
  })
})

describe('the request', () => {
  it('goes below the path that the account names', async () => {
    const user = onward.user('below')
    await user.connect('notes', { url: `${onward.third.url}/deep/down/` })
    await user.call('notes-read-notes').expect(200)
    expect(onward.third.received[0]?.url).toBe('/deep/down/notes')
  })

  it('has the parameters where the app wants them', async () => {
    const got = await sent('desk-get-ticket', { ticket_id: 'a b/../c?d#e%2f', fields: ['x', 'y z'], trace: 'é' })
    expect(got).toMatchObject({ method: 'GET', url: '/tickets/a%20b%2F..%2Fc%3Fd%23e%252f?fields=x%2Cy%20z', body: '' })
    expect(got.headers['x-trace']).toBe('é')
  })

  it('leaves out what was not sent, and fills in defaults', async () => {
    expect((await sent('desk-get-ticket', { ticket_id: '7' })).url).toBe('/tickets/7')
    onward.third.received.length = 0
    expect(JSON.parse((await sent('desk-create-ticket', { subject: 'a' })).body)).toEqual({ subject: 'a', priority: 3 })
  })

  it('has a JSON body with each value of its own type', async () => {
    const args = { subject: 'a', priority: 1, public: false, tags: ['bug'], scores: { x: 1 }, customer: { name: 'ä\u0000🙂', age: 3 } }
    const { headers, body } = await sent('desk-create-ticket', args)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(body)).toEqual(args)
  })

  it('has a form body where the app takes forms', async () => {
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

  it('comes from a form as well as from JSON', async () => {
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

  it('is made without any body of the caller, with and without the final slash', async () => {
    await joe.post('/functions/notes-read-notes/call/').expect(200)
    await joe.post('/functions/notes-read-notes/call').set('content-type', 'text/plain').expect(200)
    await joe.post('/functions/notes-read-notes/call', '').set('content-type', 'application/json').expect(200)
    expect(onward.third.received).toHaveLength(3)
  })

  it('ignores what published clients send along', async () => {
    await joe.call('notes-read-notes', { cursor: 'x', query_string_data: {}, _variables: null, _cursor: null }).expect(200)
  })
})
