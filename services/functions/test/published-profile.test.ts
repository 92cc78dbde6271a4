import { sendJson } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

let standard: Functions
let published: Functions
let joe: User

type Item = { parameters: object }

beforeAll(async () => {
  standard = await openFunctions()
  published = await openFunctions({ env: { CLIENT_PROFILE: 'published' }, builtIn: true })
  joe = published.user('joe')
})

describe('CLIENT_PROFILE=published', () => {
  it("adds the user's accounts to the apps of a list", async () => {
    const id = await joe.connect('desk')
    const { body } = await joe.post('/apps/list?page_size=200').expect(200)
    const accounts = body.apps.map(({ name, connected_accounts }: { name: string; connected_accounts: { id: number }[] }) => [
      name,
      connected_accounts.map((account) => account.id),
    ])
    expect(Object.fromEntries(accounts)).toMatchObject({ desk: [id], crm: [], clock: [] })
  })

  it('writes integer as number in every schema, to any depth', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get').expect(200)
    expect(body.parameters.properties).toMatchObject({
      priority: { type: 'number' },
      scores: { additionalProperties: { type: 'number' } },
      customer: { properties: { age: { type: 'number' } } },
    })
    for (let _cursor: string | null = ''; _cursor !== null; ) {
      const listed: { body: { functions: Item[]; _cursor: string | null } } = await joe
        .post('/functions/list?page_size=200', { _cursor })
        .expect(200)
      for (const { parameters } of listed.body.functions) expect(JSON.stringify(parameters)).not.toContain('"integer"')
      _cursor = listed.body._cursor
    }
    const predicted = await joe.post('/functions/predict', { prompt: 'create a ticket of a customer in Desk' }).expect(200)
    expect(predicted.body.functions).toMatchObject([{ name: 'desk-create-ticket', parameters: body.parameters }])
    expect(JSON.stringify(predicted.body)).not.toContain('integer')
  })

  it('checks integers all the same', async () => {
    const { body } = await joe.call('desk-create-ticket', { subject: 'a', priority: 1.5 }).expect(400)
    expect(body.error_details).toEqual(['priority: must be a whole number, 1 to 5'])
  })

  it('leaves _cursor out on the last page of a call', async () => {
    published.third.answer((_received, response) => sendJson(response, 200, { tickets: [1], meta: { next: '' } }))
    await joe.call('desk-list-tickets').expect(200, { network_code: 200, output: [1] })
    published.third.answer((_received, response) => sendJson(response, 200, { tickets: [1], meta: { next: 'n2' } }))
    await joe.call('desk-list-tickets').expect(200, { network_code: 200, output: [1], _cursor: 'n2' })
  })
})

describe('without it', () => {
  it('apps of a list have no accounts, integers stay, and a last page says null', async () => {
    const ann = standard.user('ann')
    await ann.connect('desk')
    const { body } = await ann.post('/apps/list').expect(200)
    expect(body.apps.some((app: object) => 'connected_accounts' in app)).toBe(false)
    const got = await ann.post('/functions/desk-create-ticket/get').expect(200)
    expect(got.body.parameters.properties.priority.type).toBe('integer')
    standard.third.answer((_received, response) => sendJson(response, 200, { tickets: [1] }))
    await ann.call('desk-list-tickets').expect(200, { network_code: 200, output: [1], _cursor: null })
  })
})
