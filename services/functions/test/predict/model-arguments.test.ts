import { type Script, sendJson } from '@onward/testbed'
import { appFile, appFolder } from '../support/oauth-support.ts'
import { callOf, openScriptedModel, type ScriptedModel } from '../support/scripted-model.ts'
import { type Functions, openFunctions, type TestApp, type User } from '../support/support.ts'

let model: ScriptedModel
let onward: Functions
let joe: User

beforeAll(async () => {
  model = await openScriptedModel()
  const folder = await appFolder([appFile('slate', 'https://slate.example', { type: 'none' }, { functions: { 'update-task': UPDATE } })])
  const env = { ...model.env, MODEL_NAME: 'chooser-1', APPS_PATH: `services/functions/test/names-apps,${folder}` }
  onward = await openFunctions({ env })
  joe = onward.user('joe')
})
beforeEach(() => model.forget())

const TICKET = 'desk-create-ticket'
const UPDATE = {
  title: 'Update task',
  description: 'Changes a task.',
  type: 'ACTION',
  parameters: {
    properties: {
      title: { type: 'string', description: 'Title.' },
      due: { type: 'string', nullable: true, description: 'Due date.' },
    },
  },
  request: { method: 'PATCH', path: '/task', body: { title: '{title}', due: '{due}' } },
}

async function get(body: object, name = TICKET): Promise<object> {
  return (await joe.post(`/functions/${name}/get`, body).expect(200)).body.arguments
}

const prompt = 'a ticket with subject "Printer" and priority 4'

describe('POST /functions/:function_name/get with a model', () => {
  it('offers the model only this function and requires a call', async () => {
    model.calls([TICKET, { subject: 'Printer', priority: 4, state: 'open' }])
    expect(await get({ prompt })).toEqual({ subject: 'Printer', priority: 4, state: 'open' })
    const [asked, ...others] = model.chats()
    expect(others).toEqual([])
    expect(asked?.tools).toHaveLength(1)
    expect(asked?.tool_choice).toEqual({ type: 'function', function: { name: TICKET } })
  })

  it.each([[{ _variables: { subject: 'a' } }], [{}], [{ prompt: '' }]])('does not ask the model without a prompt: %j', async (body) => {
    await joe.post(`/functions/${TICKET}/get`, body).expect(200)
    expect(model.chats()).toEqual([])
  })

  it('keeps arguments found offline that the model leaves out', async () => {
    model.calls([TICKET, { text: 'It is broken.' }])
    expect(await get({ prompt })).toEqual({ subject: 'Printer', priority: 4, text: 'It is broken.' })
  })

  it('treats null as absent, and JSON text as an object', async () => {
    model.calls([TICKET, { subject: 'A', label: null, customer: '{"name": "Ada"}' }])
    expect(await get({ prompt: 'a ticket' })).toEqual({ subject: 'A', customer: { name: 'Ada' } })
  })

  it('offers no null and predicts none, because models write it for what the prompt does not contain', async () => {
    model.calls(['slate-update-task', { title: 'Paint', due: null }])
    expect(await get({ prompt: 'call the task Paint' }, 'slate-update-task')).toEqual({ title: 'Paint' })
    expect(model.chats()[0]?.tools?.[0]).toMatchObject({
      function: { parameters: { properties: { due: { type: 'string', description: 'Due date.' } } } },
    })
    expect(JSON.stringify(model.chats()[0]?.tools)).not.toContain('nullable')
  })

  it('asks the model once to repair invalid arguments', async () => {
    model.calls([TICKET, { subject: '#bad', state: 'lost' }], [TICKET, { subject: 'Good', state: 'closed' }])
    expect(await get({ prompt: 'a ticket' })).toEqual({ subject: 'Good', state: 'closed' })
    const [, second, ...others] = model.chats()
    expect(others).toEqual([])
    expect(second?.tool_choice).toEqual({ type: 'function', function: { name: TICKET } })
    const told = second?.messages.at(-1)
    expect(told).toMatchObject({ role: 'tool', tool_call_id: 'call_1' })
    expect(told?.content).toContain('subject: ')
    expect(told?.content).toContain('state: must be one of "open", "closed"')
  })

  it.each<[string, object | string]>([
    ['still invalid', { subject: '#bad', state: 'lost', text: 'new' }],
    ['not JSON', 'subject=Good'],
    ['not an object', '[1]'],
    ['nested too deeply', `{"scores": ${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`],
  ])('leaves out an argument that is %s after the repair', async (_what, second) => {
    model.calls([TICKET, { subject: 'Fine', priority: 9, state: 'lost' }], [TICKET, second])
    const args = await get({ prompt })
    // The priority in the prompt, which was found offline.
    expect(args).toMatchObject({ subject: 'Fine', priority: 4 })
    expect(args).not.toHaveProperty('state')
    expect(args).not.toHaveProperty('scores')
    expect(model.chats()).toHaveLength(2)
  })

  it.each<[string, Script]>([
    ['fails', (_received, response) => sendJson(response, 500, { error: { message: 'no' } })],
    ['does not arrive', () => {}],
    ['calls a different tool', (_received, response) => sendJson(response, 200, callOf('desk-list-tickets', {}))],
  ])('keeps the valid arguments when the repair %s', async (_what, second) => {
    let asked = 0
    model.answersChats((received, response, request) => {
      if (asked++ === 0) sendJson(response, 200, callOf(TICKET, { subject: 'Fine', state: 'lost' }))
      else return second(received, response, request)
    })
    expect(await get({ prompt: 'a ticket' })).toEqual({ subject: 'Fine' })
    expect(asked).toBe(2)
  })

  it.each<[string, object]>([
    ['an unknown parameter', { colour: 'red' }],
    ['__proto__', JSON.parse('{"__proto__": {"subject": "x"}}')],
    ['an e-mail address that is not in the prompt', { text: 'Write to ceo@example.com' }],
    ['a URL that is not in the prompt', { text: 'See https://evil.example/a' }],
    ['an unknown host beside a tag', { text: 'See https://{first_name}.evil.example/a' }],
    ['an e-mail address with an unknown host', { text: 'Write to {first_name}@evil.example' }],
    ['an e-mail address with a tag and an unknown host', { text: 'Write to ada@{first_name}.evil.example' }],
    ['a tag without a variable', { text: 'For {last_name}' }],
    ['an inherited name', { toString: 'x' }],
  ])('leaves out %s', async (_what, args) => {
    model.calls([TICKET, args])
    expect(await get({ prompt: 'a ticket', _variables: { first_name: 'Ada' } })).toEqual({})
  })

  it('accepts addresses that are in the prompt', async () => {
    model.calls([TICKET, { subject: 'For Ada@Example.com', text: 'See https://shop.example/a?b=c' }])
    const args = await get({ prompt: 'a ticket for ada@example.com, see shop.example' })
    expect(args).toMatchObject({ subject: 'For Ada@Example.com', text: 'See https://shop.example/a?b=c' })
  })

  it('accepts tags within such addresses', async () => {
    const text = 'See https://{first_name}.shop.example/a, or write to {first_name}@shop.example or ada@{first_name}.shop.example'
    model.calls([TICKET, { text }])
    const sent = { prompt: 'a ticket about what Ada of shop.example wrote', _variables: { first_name: 'Ada' } }
    expect(await get(sent)).toMatchObject({ text })
  })

  it('accepts tags as values of any type that are valid with the variables filled in', async () => {
    model.calls([TICKET, { subject: 'Hi {first_name}', priority: '{level}', state: '{level}', public: '{open}' }])
    const _variables = { first_name: 'Ada', level: 2, open: 'perhaps' }
    expect(await get({ prompt: 'a ticket', _variables })).toEqual({ subject: 'Hi {first_name}', priority: '{level}' })
  })

  it.each<[string, string, string | undefined]>([
    ['becomes its id', 'Urgent', 'label-7'],
    ['becomes its id in any capitalization', 'URGENT', 'label-7'],
    ['is left out when the app does not know it', 'broken', undefined],
    ['is left out when it is not in the prompt', 'label-9', undefined],
  ])('handles a name of a thing in the app: it %s: %s', async (_what, label, expected) => {
    const ann = onward.user(`ann-${label}`)
    await ann.connect('desk')
    const labels = [
      { id: 'label-7', name: { short: 'Urgent' } },
      { id: 'label-9', name: { short: 'Later' } },
    ]
    onward.third.respond((_received, response) => sendJson(response, 200, { labels }))
    model.calls([TICKET, { text: 'It is broken.', label }])
    const sent = { prompt: 'a ticket for the broken printer, and it is Urgent' }
    const { body } = await ann.post(`/functions/${TICKET}/get`, sent).expect(200)
    expect(body.arguments).toMatchObject({ text: 'It is broken.' })
    expect(body.arguments.label).toBe(expected)
  })

  it('replaces names in a list by their ids', async () => {
    const ann = onward.user('ann-of-the-board')
    await ann.connect('board' as TestApp, { token: 'board-token-0123456789' })
    onward.third.respond((_received, response) => sendJson(response, 200, { tags: [{ id: 't1', name: 'hot' }] }))
    model.calls(['board-create-deal', { name: 'Chairs', tag_ids: ['Hot'] }])
    const sent = { prompt: 'create a deal named "Chairs" with tag hot' }
    const { body } = await ann.post('/functions/board-create-deal/get', sent).expect(200)
    expect(body.arguments).toEqual({ name: 'Chairs', tag_ids: ['t1'] })
  })

  it('returns the origin of each argument with include=meta', async () => {
    model.calls([TICKET, { subject: 'Printer', text: 'Broken since Monday.', customer: { name: 'Ada' }, tags: '{kinds}' }])
    const sent = { prompt, _variables: { kinds: ['bug'] } }
    const { body } = await joe.post(`/functions/${TICKET}/get?include=meta`, sent).expect(200)
    expect(body.meta.arguments).toMatchObject({
      subject: { from: 'prompt', span: [expect.any(Number), expect.any(Number)] },
      text: { from: 'model', confidence: 0.8 },
      customer: { from: 'model' },
      tags: { from: 'variable', variable: 'kinds' },
    })
  })
})
