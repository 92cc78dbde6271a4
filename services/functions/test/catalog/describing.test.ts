import { nearestAll } from '@onward/runtime'
import { eventually } from '@onward/testbed'
import { loginUrl, openFunctions, type User, useFunctions, withoutLoginUrls, withShortNames } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
})

describe('POST /apps/:app_name/get', () => {
  it("returns the user's own accounts of the app, newest first", async () => {
    const pat = onward.user('pat')
    const first = await pat.connect('desk')
    const second = await pat.connect('desk')
    await pat.connect('crm')
    await onward.user('other-user').connect('desk')
    const app = withoutLoginUrls((await pat.post('/apps/desk/get').expect(200)).body)
    const listed = withoutLoginUrls((await pat.post('/apps/list?search=desk').expect(200)).body)
    expect(app).toEqual({ ...listed.apps[0], connected_accounts: [account(second), account(first)] })
    expect(withoutLoginUrls((await pat.post('/apps/desk/get/').expect(200)).body)).toEqual(app)
  })

  it('returns an empty list when the user has no account', async () => {
    expect((await joe.post('/apps/clock/get').expect(200)).body.connected_accounts).toEqual([])
  })

  it('does not list an account that was disconnected', async () => {
    const pat = onward.user('pat-2')
    const id = await pat.connect('desk')
    await onward.admin('delete', `/admin/applications/app-1/connected-accounts/${id}`).expect(200)
    expect((await pat.post('/apps/desk/get').expect(200)).body.connected_accounts).toEqual([])
  })

  it.each(withShortNames(['nowhere', '__proto__', 'constructor', '%2e%2e', 'de%2fsk', 'a'.repeat(10_000)]))(
    'answers 404 for the unknown name %s',
    async (_short, name) => {
      const { body } = await joe.post(`/apps/${name}/get`).expect(404)
      expect(body).toMatchObject({ error_details: [], code: 'app_not_found' })
      expect(body.error.split(';')[0]).toBe(`there is no app ${JSON.stringify(decodeURIComponent(name).slice(0, 100))}`)
    },
  )

  it('suggests the nearest names for a misspelt one', async () => {
    const { body } = await joe.post('/apps/deskk/get').expect(404)
    expect(body).toMatchObject({ error: 'there is no app "deskk"; did you mean desk?', suggestions: ['desk'] })
  })

  function account(id: number) {
    const modified_at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    return { id, display_name: 'Desk', modified_at, status: 'active', last_error: null }
  }
})

describe('POST /functions/:function_name/get', () => {
  const get = async (name: string, body?: object, query = '') => (await joe.post(`/functions/${name}/get${query}`, body).expect(200)).body

  it('has the declared shape of the output in meta', async () => {
    const { meta } = await get('desk-list-labels', {}, '?include=meta')
    expect(meta.output).toMatchObject({ type: 'array', items: { type: 'object', properties: { uses: { type: 'integer' } } } })
    expect((await get('desk-get-ticket', {}, '?include=meta')).meta.output).toBeUndefined()
  })

  it('returns the same object as the list', async () => {
    const { body } = await joe.post('/functions/list?search=desk-create-ticket').expect(200)
    expect(await get('desk-create-ticket')).toEqual(body.functions[0])
    await joe.post('/functions/desk-create-ticket/get/').expect(200, body.functions[0])
  })

  it('names the function that returns the values of a parameter', async () => {
    const { parameters } = await get('desk-create-ticket')
    expect(parameters.properties.label.description).toBe('Id of the label. Call `desk-list-labels` to get the available values.')
  })

  it.each(withShortNames(['nowhere', '__proto__', 'constructor', '%2e%2e', 'desk', 'a'.repeat(10_000)]))(
    'answers 404 for the unknown name %s',
    async (_short, name) => {
      const { body } = await joe.post(`/functions/${name}/get`).expect(404)
      expect(body).toEqual({
        error: `there is no function ${JSON.stringify(decodeURIComponent(name).slice(0, 100))}`,
        error_details: [],
        code: 'function_not_found',
        request_id: expect.any(String),
      })
    },
  )

  it.each(['desk-creat-ticket', 'desk-ticket-create', 'Desk-Create-Ticket'])('suggests the nearest names for %s', async (name) => {
    const { body } = await joe.post(`/functions/${name}/get`).expect(404)
    expect(body.error).toBe(`there is no function "${name}"; did you mean ${body.suggestions.join(' or ')}?`)
    expect(body.suggestions[0]).toBe('desk-create-ticket')
  })

  it('suggests functions of the app that was asked for before those of other apps', () => {
    const known = ['gmail-send-message', 'outlook-send-direct-message', 'slack-post-message', 'slack-list-users']
    expect(nearestAll('slack-send-direct-message', known)).toEqual(['slack-post-message', 'outlook-send-direct-message'])
  })

  it('answers 404 with the reason for a function that a filter excludes', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get?app=crm').expect(404)
    expect(body).toMatchObject({ error: 'desk-create-ticket is a function of another app: desk', code: 'function_not_found' })
    const unconnected = await onward.user('nobody').post('/functions/desk-create-ticket/get?connected_only=true').expect(404)
    expect(unconnected.body).toMatchObject({ error: 'the user has no connected account of Desk', code: 'function_not_found' })
  })

  it.each([
    ['no body', undefined],
    ['an empty body', {}],
    ['prompt and _variables null', { prompt: null, _variables: null }],
    ['an empty prompt', { prompt: '' }],
  ])('returns no arguments for %s', async (_what, body) => {
    expect(await get('phone-send-text', body)).not.toHaveProperty('arguments')
  })

  it.each<[string, object, object]>([
    ['a prompt that holds no value', { prompt: 'hello there' }, {}],
    ['empty variables', { _variables: {} }, {}],
    [
      'a prompt with values',
      { prompt: 'open a ticket with subject "Printer broken" and priority 2' },
      { subject: 'Printer broken', priority: 2 },
    ],
    ['a value that the schema refuses', { prompt: 'open a ticket with subject "a" and priority 9' }, { subject: 'a' }],
    ['variables', { _variables: { subject: 'a', state: 'open', other: 1 } }, { subject: '{subject}', state: '{state}' }],
    [
      'variables with other spellings',
      { _variables: { customer: { name: 'Ada' }, Priority: 4 } },
      { customer: '{customer}', priority: '{Priority}' },
    ],
    ['a variable within another', { _variables: { ticket: { subject: 'a' } } }, { subject: '{ticket.subject}' }],
    ['variables that the schema refuses', { _variables: { priority: 9, state: 'lost', public: 'yes', subject: '' } }, {}],
    [
      'a prompt and variables',
      { prompt: 'open a ticket with subject "Printer of {name} broken"', _variables: { name: 'Ada', state: 'open' } },
      { subject: 'Printer of {name} broken', state: '{state}' },
    ],
    ['a prompt and variables that contradict it', { prompt: 'priority 2', _variables: { priority: 4 } }, { priority: 2 }],
  ])('returns arguments for %s', async (_what, body, expected) => {
    expect((await get('desk-create-ticket', body)).arguments).toEqual(expected)
  })

  it('matches variables whose names are common words', async () => {
    const _variables = { from: '+1', to: '+2', body: 'hi' }
    expect((await get('phone-send-text', { _variables })).arguments).toEqual({ from: '{from}', to: '{to}', body: '{body}' })
    expect((await get('phone-send-text', { _variables: { who: 'Ada', on: true, the: 'x' } })).arguments).toEqual({})
  })

  it('uses the next variable with the same name when the first does not fit the schema', async () => {
    const _variables = { priority: 'high', ticket: { priority: 4 } }
    expect((await get('desk-create-ticket', { _variables })).arguments).toEqual({ priority: '{ticket.priority}' })
  })

  it('refuses a prompt or _variables of another type', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get', { prompt: 5, _variables: 'x' }).expect(400)
    expect(body.error_details).toEqual(['prompt: must be text or null', '_variables: must be an object or null'])
    await joe.post('/functions/desk-create-ticket/get', { prompt: 'x'.repeat(10_001) }).expect(400)
  })

  it('returns arguments that the function accepts in a call', async () => {
    const pat = onward.user('pat-3')
    await pat.connect('desk')
    const _variables = { subject: 'Printer', priority: 4 }
    const { arguments: args } = await get('desk-create-ticket', { _variables })
    await pat.call('desk-create-ticket', { ...args, _variables }).expect(200)
    await eventually(() => expect(JSON.parse(onward.third.received.at(-1)?.body ?? '')).toEqual({ subject: 'Printer', priority: 4 }))
  })
})

/** The metadata that most parameters share. */
function field(machine_name: string, type: string, more: object = {}, ui: object = {}) {
  return {
    id: expect.any(Number),
    title: machine_name.charAt(0).toUpperCase() + machine_name.slice(1),
    machine_name,
    description_for_users: expect.any(String),
    is_required: false,
    ui: {
      placeholder: '',
      default_value: null,
      regex: '',
      regex_error_message: '',
      depends_on: [],
      is_visible: true,
      ui_field: { type, is_multiselect: false, options: [] },
      ...ui,
    },
    ...more,
  }
}

const option = (id: string) => ({ id, value: id })

describe('include=meta', () => {
  it('returns the complete metadata of a function', async () => {
    const id = await joe.connect('desk')
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta').expect(200)
    expect(body.meta).toEqual({
      id: expect.any(Number),
      type: 'ACTION',
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
      destructive: false,
      ui: { title: 'Create ticket' },
      app: {
        name: 'desk',
        title: 'Desk',
        icon_url: 'https://desk.example/icon.png',
        login_url: loginUrl,
        connected_accounts: [{ id, display_name: 'Desk', modified_at: expect.any(String), status: 'active', last_error: null }],
      },
    })
  })

  it('returns the complete metadata of each kind of parameter', async () => {
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta').expect(200)
    const metas = Object.entries<{ meta: object }>(body.parameters.properties).map(([name, { meta }]) => [name, meta])
    expect(Object.fromEntries(metas)).toEqual({
      subject: field(
        'subject',
        'TEXTFIELD',
        { is_required: true },
        { regex: '^[^#]', regex_error_message: 'Subject does not have the right form. What the ticket is about.' },
      ),
      text: field('text', 'TEXTAREA'),
      priority: field(
        'priority',
        'TEXTFIELD',
        {},
        { default_value: 3, regex: '^-?[0-9]+$', regex_error_message: 'Priority must be a whole number, 1 to 5.' },
      ),
      state: field('state', 'STATIC_DROPDOWN', {}, dropdown('STATIC_DROPDOWN', false, ['open', 'closed'])),
      public: field('public', 'CHECKBOX'),
      label: field(
        'label',
        'DYNAMIC_DROPDOWN',
        { description_for_users: 'Id of the label.' },
        {
          ui_field: {
            type: 'DYNAMIC_DROPDOWN',
            is_multiselect: false,
            options: [],
            option_key_path: 'id',
            value_key_path: 'name.short',
            data_source: { url: '/functions/desk-list-labels/call', body: {}, query_params: {} },
          },
        },
      ),
      tags: field('tags', 'STATIC_DROPDOWN', {}, dropdown('STATIC_DROPDOWN', true, ['bug', 'wish'])),
      scores: field('scores', 'CUSTOM_FIELDS'),
      customer: field('customer', 'OBJECT'),
    })
  })

  it('leaves the rest of the schema unchanged and can be combined with a prompt', async () => {
    const plain = await joe.post('/functions/desk-create-ticket/get').expect(200)
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta', { prompt: 'priority 2' }).expect(200)
    const { meta: _, arguments: args, ...rest } = body
    expect(JSON.parse(JSON.stringify(rest, (key, value) => (key === 'meta' ? undefined : value)))).toEqual(plain.body)
    expect(args).toEqual({ priority: 2 })
  })

  it('shows only the accounts of the calling user', async () => {
    await onward.user('ann').connect('crm')
    const { body } = await joe.post('/functions/list?app=crm&include=meta').expect(200)
    expect(
      body.functions.every(({ meta }: { meta: { app: { connected_accounts: [] } } }) => meta.app.connected_accounts.length === 0),
    ).toBe(true)
  })

  it('returns the same ids after every start of the service', async () => {
    const other = await openFunctions()
    const path = '/functions/desk-create-ticket/get?include=meta'
    const [here, there] = await Promise.all([onward.user('zoe').post(path).expect(200), other.user('zoe').post(path).expect(200)])
    expect(withoutLoginUrls(here.body)).toEqual(withoutLoginUrls(there.body))
  })

  function dropdown(type: string, is_multiselect: boolean, values: string[]) {
    return { ui_field: { type, is_multiselect, options: values.map(option) } }
  }
})
