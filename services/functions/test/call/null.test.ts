import { eventually, sendJson } from '@onward/testbed'
import { callTool, connectClient, createToken, ERAS } from '../support/mcp-support.ts'
import { appFile, appFolder } from '../support/oauth-support.ts'
import { type Functions, openFunctions, type User } from '../support/support.ts'

let onward: Functions
let joe: User
let pat: User

const parameters = {
  properties: {
    due: { type: 'string', format: 'date', nullable: true, description: 'Due date.' },
    state: { type: 'string', enum: ['open', 'closed'], nullable: true, description: 'State.' },
    count: { type: 'integer', nullable: true, description: 'Count.' },
    owner: {
      type: 'object',
      nullable: true,
      description: 'Owner.',
      properties: { name: { type: 'string', nullable: true, description: 'Name.' }, age: { type: 'integer' } },
    },
    marks: { type: 'array', items: { type: 'integer', nullable: true }, description: 'Marks.' },
    title: { type: 'string', description: 'Title.' },
    parent: { type: 'string', nullable: true, description: 'Parent.' },
  },
  required: ['parent'],
}
const body = Object.fromEntries(Object.keys(parameters.properties).map((name) => [name, `{${name}}`]))
const update = {
  title: 'Update task',
  description: 'Changes a task.',
  type: 'ACTION',
  parameters,
  request: { method: 'PATCH', path: '/task', body },
}

beforeAll(async () => {
  const account = { base_url: '{account.url}', account_settings: { url: { title: 'URL', description: 'Where it runs.' } } }
  const folder = await appFolder([appFile('slate', '', { type: 'none' }, { ...account, functions: { 'update-task': update } })])
  onward = await openFunctions({ env: { APPS_PATH: folder } })
  joe = onward.user('joe')
  pat = onward.user('pat', await onward.makeApplication('published', 'workspace-1', { client_profile: 'published' }))
  for (const user of [joe, pat]) await user.connect('slate' as 'desk', {})
})
beforeEach(() => onward.third.respond((_received, response) => sendJson(response, 200, {})))

const sent = () => JSON.parse(onward.third.received.at(-1)?.body ?? '') as object
const call = (args: object | string, user = joe) => user.call('slate-update-task', args)

describe('null for a parameter that may be null', () => {
  const all = { due: null, state: null, count: null, owner: { name: null }, marks: [1, null], parent: null }

  it('reaches the app as null, and an absent parameter does not reach it', async () => {
    await call(all).expect(200)
    expect(sent()).toEqual(all)
    await call({ owner: null, parent: 'x' }).expect(200)
    expect(sent()).toEqual({ owner: null, parent: 'x' })
    await call({ parent: '', due: null, title: null }).expect(200)
    expect(sent()).toEqual({ parent: '', due: null })
  })

  it('reaches the app from published clients', async () => {
    await call(all, pat).expect(200)
    expect(sent()).toEqual(all)
  })

  it('reaches the app from a variable', async () => {
    await call({ due: '{due}', owner: '{owner}', title: '{due}', parent: 'x', _variables: { due: null, owner: { name: null } } }).expect(
      200,
    )
    expect(sent()).toEqual({ due: null, owner: { name: null }, parent: 'x' })
  })

  it('is an empty field of a form, except where an empty text is a text', async () => {
    await call('count=&parent=&title=').expect(200)
    expect(sent()).toEqual({ count: null, parent: '', title: '' })
  })

  it.each<[string, object, string]>([
    ['a required parameter that is missing', { due: null }, 'parent: is required'],
    ['a value of another type', { due: 1, parent: null }, 'due: must be text or null'],
    ['a value that is none of the choices', { state: 'lost', parent: null }, 'state: must be one of "open", "closed", null'],
    ['null in an object for what is not nullable', { owner: { name: 'a', age: 'x' }, parent: null }, 'owner.age: must be a whole number'],
  ])('does not hide %s', async (_what, args, problem) => {
    expect((await call(args).expect(400)).body.error_details).toEqual([problem])
  })

  it('is another request than an absent one for the same Idempotency-Key', async () => {
    const key = 'null-1'
    await call({ due: null, parent: 'x' }).set('Idempotency-Key', key).expect(200)
    expect((await call({ parent: 'x' }).set('Idempotency-Key', key).expect(409)).body.code).toBe('idempotency_conflict')
    await call({ due: null, parent: 'x' }).set('Idempotency-Key', key).expect(200).expect('idempotency-replayed', 'true')
  })

  it('is in the calls log', async () => {
    const { headers } = await call({ due: null, parent: 'x' }).expect(200)
    await eventually(async () => {
      const { body: logged } = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
      expect(logged.arguments).toEqual({ due: null, parent: 'x' })
    })
  })

  it.each(ERAS)('reaches the app from an MCP client of %s', async (era) => {
    const { token } = await createToken(joe)
    const client = await connectClient(onward.url, token, era)
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'slate-update-task')?.inputSchema).toMatchObject({
      properties: { due: { type: ['string', 'null'] }, state: { enum: ['open', 'closed', null] }, title: { type: 'string' } },
      required: ['parent'],
    })
    expect((await callTool(client, 'slate-update-task', { ...all, title: null })).isError).toBe(false)
    expect(sent()).toEqual(all)
  })
})

describe('numbers and booleans as text', () => {
  it('reach the app as numbers and booleans from a call and from an MCP client, also inside objects and lists', async () => {
    const args = { count: '5', owner: { age: '41' }, marks: ['1', null, '-2'], title: '7', parent: '8' }
    const read = { count: 5, owner: { age: 41 }, marks: [1, null, -2], title: '7', parent: '8' }
    await call(args).expect(200)
    expect(sent()).toEqual(read)
    const client = await connectClient(onward.url, (await createToken(joe)).token, ERAS[0])
    expect((await callTool(client, 'slate-update-task', args)).isError).toBe(false)
    expect(sent()).toEqual(read)
  })
})

describe('a parameter that may be null', () => {
  const get = async (query: string, user = joe) => (await user.post(`/functions/slate-update-task/get${query}`).expect(200)).body

  it.each(['', '?include=meta'])('says so beside its one type in /get%s', async (query) => {
    for (const user of [joe, pat]) {
      const { properties, required } = (await get(query, user)).parameters
      expect(properties.due).toMatchObject({ type: 'string', nullable: true })
      expect(properties.state).toMatchObject({ type: 'string', nullable: true, enum: ['open', 'closed'] })
      expect(properties.owner).toMatchObject({ type: 'object', properties: { name: { type: 'string', nullable: true } } })
      expect(properties.title).not.toHaveProperty('nullable')
      expect(required).toEqual(['parent'])
    }
  })

  it('says so in its meta', async () => {
    const { properties } = (await get('?include=meta')).parameters
    expect(properties.due.meta).toMatchObject({ nullable: true, is_required: false })
    expect(properties.parent.meta).toMatchObject({ nullable: true, is_required: true })
    expect(properties.owner.properties.name.meta.nullable).toBe(true)
    expect(properties.title.meta).not.toHaveProperty('nullable')
  })
})
