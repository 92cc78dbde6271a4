import { type Functions, loginUrl, openFunctions, type User, withoutLoginUrls } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
})

/** The parts that most parameters have in common. */
function field(machine_name: string, type: string, more: object = {}, ui: object = {}) {
  return {
    id: expect.any(Number),
    title: machine_name.charAt(0).toUpperCase() + machine_name.slice(1),
    machine_name,
    description_for_users: expect.any(String),
    is_required: false,
    ui: {
      ...{ placeholder: '', default_value: null, regex: '', regex_error_message: '', depends_on: [], is_visible: true },
      ui_field: { type, is_multiselect: false, options: [] },
      ...ui,
    },
    ...more,
  }
}

const option = (id: string) => ({ id, value: id })

describe('include=meta', () => {
  it('of a function is complete', async () => {
    const id = await joe.connect('desk')
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta').expect(200)
    expect(body.meta).toEqual({
      id: expect.any(Number),
      type: 'ACTION',
      version: expect.stringMatching(/^[0-9a-f]{12}$/),
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

  it('of each kind of parameter is complete', async () => {
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

  it('does not change the rest of the schema, and goes with arguments', async () => {
    const plain = await joe.post('/functions/desk-create-ticket/get').expect(200)
    const { body } = await joe.post('/functions/desk-create-ticket/get?include=meta', { prompt: 'priority 2' }).expect(200)
    const { meta: _, arguments: args, ...rest } = body
    expect(JSON.parse(JSON.stringify(rest, (key, value) => (key === 'meta' ? undefined : value)))).toEqual(plain.body)
    expect(args).toEqual({ priority: 2 })
  })

  it('shows the accounts of the calling user only', async () => {
    await onward.user('ann').connect('crm')
    const { body } = await joe.post('/functions/list?app=crm&include=meta').expect(200)
    expect(
      body.functions.every(({ meta }: { meta: { app: { connected_accounts: [] } } }) => meta.app.connected_accounts.length === 0),
    ).toBe(true)
  })

  it('has ids that are the same at every start', async () => {
    const other = await openFunctions()
    const path = '/functions/desk-create-ticket/get?include=meta'
    const [here, there] = await Promise.all([onward.user('zoe').post(path).expect(200), other.user('zoe').post(path).expect(200)])
    expect(withoutLoginUrls(here.body)).toEqual(withoutLoginUrls(there.body))
  })

  function dropdown(type: string, is_multiselect: boolean, values: string[]) {
    return { ui_field: { type, is_multiselect, options: values.map(option) } }
  }
})
