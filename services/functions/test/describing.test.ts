import { eventually } from '@onward/testbed'
import { type Functions, openFunctions, type User, withoutLoginUrls } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
})

describe('POST /apps/:app_name/get', () => {
  it("adds the user's own accounts with that app, the newest first", async () => {
    const pat = onward.user('pat')
    const first = await pat.connect('desk')
    const second = await pat.connect('desk')
    await pat.connect('crm')
    await onward.user('somebody').connect('desk')
    const app = withoutLoginUrls((await pat.post('/apps/desk/get').expect(200)).body)
    const listed = withoutLoginUrls((await pat.post('/apps/list?search=desk').expect(200)).body)
    expect(app).toEqual({ ...listed.apps[0], connected_accounts: [account(second), account(first)] })
    expect(withoutLoginUrls((await pat.post('/apps/desk/get/').expect(200)).body)).toEqual(app)
  })

  it('has an empty list when there are none', async () => {
    expect((await joe.post('/apps/clock/get').expect(200)).body.connected_accounts).toEqual([])
  })

  it('forgets an account that was disconnected', async () => {
    const pat = onward.user('pat-2')
    const id = await pat.connect('desk')
    await onward.admin('delete', `/admin/applications/app-1/connected-accounts/${id}`).expect(200)
    expect((await pat.post('/apps/desk/get').expect(200)).body.connected_accounts).toEqual([])
  })

  it.each(['nowhere', '__proto__', 'constructor', '%2e%2e', 'de%2fsk', 'a'.repeat(10_000)])(
    'of %.20s, which does not exist, is 404',
    async (name) => {
      const { body } = await joe.post(`/apps/${name}/get`).expect(404)
      expect(body).toEqual({ error: 'there is no such app', error_details: [], code: 'app_not_found' })
    },
  )

  function account(id: number) {
    const modified_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return { id, display_name: 'Desk', modified_at, status: 'active', last_error: null }
  }
})

describe('POST /functions/:function_name/get', () => {
  const get = async (name: string, body?: object, query = '') => (await joe.post(`/functions/${name}/get${query}`, body).expect(200)).body

  it('is what the list shows', async () => {
    const { body } = await joe.post('/functions/list?search=desk-create-ticket').expect(200)
    expect(await get('desk-create-ticket')).toEqual(body.functions[0])
    await joe.post('/functions/desk-create-ticket/get/').expect(200, body.functions[0])
  })

  it('says where the values of a parameter come from', async () => {
    const { parameters } = await get('desk-create-ticket')
    expect(parameters.properties.label.description).toBe('Id of the label. Call `desk-list-labels` to get the available values.')
  })

  it.each(['nowhere', '__proto__', 'constructor', '%2e%2e', 'desk', 'a'.repeat(10_000)])(
    'of %.20s, which does not exist, is 404',
    async (name) => {
      const { body } = await joe.post(`/functions/${name}/get`).expect(404)
      expect(body).toEqual({ error: 'there is no such function', error_details: [], code: 'function_not_found' })
    },
  )

  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['prompt and _variables null', { prompt: null, _variables: null }],
    ['an empty prompt', { prompt: '' }],
  ])('has no arguments for %s', async (_what, body) => {
    expect(await get('phone-send-text', body)).not.toHaveProperty('arguments')
  })

  it.each<[string, object, object]>([
    ['a prompt that holds no value', { prompt: 'hello there' }, {}],
    ['no variables to speak of', { _variables: {} }, {}],
    [
      'a prompt with values',
      { prompt: 'open a ticket with subject "Printer broken" and priority 2' },
      { subject: 'Printer broken', priority: 2 },
    ],
    ['a value that the schema refuses', { prompt: 'open a ticket with subject "a" and priority 9' }, { subject: 'a' }],
    ['variables', { _variables: { subject: 'a', state: 'open', other: 1 } }, { subject: '{subject}', state: '{state}' }],
    [
      'variables of other spelling',
      { _variables: { customer: { name: 'Ada' }, Priority: 4 } },
      { customer: '{customer}', priority: '{Priority}' },
    ],
    ['a variable within another', { _variables: { ticket: { subject: 'a' } } }, { subject: '{ticket.subject}' }],
    ['variables that the schema refuses', { _variables: { priority: 9, state: 'lost', public: 'yes', subject: '' } }, {}],
    [
      'both',
      { prompt: 'open a ticket with subject "Printer of {name} broken"', _variables: { name: 'Ada', state: 'open' } },
      { subject: 'Printer of {name} broken', state: '{state}' },
    ],
    ['both, the prompt first', { prompt: 'priority 2', _variables: { priority: 4 } }, { priority: 2 }],
  ])('has arguments for %s', async (_what, body, expected) => {
    expect((await get('desk-create-ticket', body)).arguments).toEqual(expected)
  })

  it('tells variables apart whose names are common words', async () => {
    const _variables = { from: '+1', to: '+2', body: 'hi' }
    expect((await get('phone-send-text', { _variables })).arguments).toEqual({ from: '{from}', to: '{to}', body: '{body}' })
    expect((await get('phone-send-text', { _variables: { who: 'Ada', on: true, the: 'x' } })).arguments).toEqual({})
  })

  it('takes the next variable of a name when the first does not fit', async () => {
    const _variables = { priority: 'high', ticket: { priority: 4 } }
    expect((await get('desk-create-ticket', { _variables })).arguments).toEqual({ priority: '{ticket.priority}' })
  })

  it('refuses a prompt or _variables of another type', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get', { prompt: 5, _variables: 'x' }).expect(400)
    expect(body.error_details).toEqual(['prompt: must be text or null', '_variables: must be an object or null'])
    await joe.post('/functions/desk-create-ticket/get', { prompt: 'x'.repeat(10_001) }).expect(400)
  })

  it('makes arguments that can be called with', async () => {
    const pat = onward.user('pat-3')
    await pat.connect('desk')
    const _variables = { subject: 'Printer', priority: 4 }
    const { arguments: args } = await get('desk-create-ticket', { _variables })
    await pat.call('desk-create-ticket', { ...args, _variables }).expect(200)
    await eventually(() => expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toEqual({ subject: 'Printer', priority: 4 }))
  })
})
