import { sendJson } from '@onward/testbed'
import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions({ env: { CALL_BODIES: 'all' } })
let joe: User

const OUTPUT = {
  total: 3,
  items: [
    { id: 1, owner: { name: 'Ada', email: 'ada@example.com' }, tags: ['a', 'b'] },
    { id: 2, owner: null, tags: [] },
    { id: 3, tags: [{ name: 'c', color: 'red' }] },
  ],
}

beforeAll(async () => {
  joe = onward.user('joe')
  await joe.connect('notes')
})
beforeEach(() => {
  onward.third.respond((_received, response) => sendJson(response, 200, OUTPUT))
})

const callWith = (fields: unknown) => joe.call('notes-read-notes', { _fields: fields })

describe('_fields of a call', () => {
  it.each([
    [['total'], { total: 3 }],
    [['items.id'], { items: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
    [['items.owner.email'], { items: [{ owner: { email: 'ada@example.com' } }, { owner: null }, {}] }],
    [['items.owner', 'items.owner.name', 'total'], { items: [{ owner: OUTPUT.items[0]?.owner }, { owner: null }, {}], total: 3 }],
    [['items.tags.name'], { items: [{ tags: [null, null] }, { tags: [] }, { tags: [{ name: 'c' }] }] }],
  ])('%j returns only these parts, in their places', async (fields, output) => {
    const { body } = await callWith(fields).expect(200)
    expect(body).toEqual({ network_code: 200, output })
  })

  it('reports the paths that lead to nothing', async () => {
    const { body } = await callWith(['total', 'items.0.id', 'items.owner.phone', 'total.sum', 'toString']).expect(200)
    expect(body.output).toMatchObject({ total: 3, items: [{ owner: {} }, { owner: null }, {}] })
    expect(body.meta).toEqual({ fields_missing: ['items.0.id', 'total.sum', 'toString'] })
  })

  it('returns no part of the output if no path leads to anything', async () => {
    const { body } = await callWith(['item.id', 'sum']).expect(200)
    expect(body).toEqual({ network_code: 200, output: {}, meta: { fields_missing: ['item.id', 'sum'] } })
    onward.third.respond((_received, response) => sendJson(response, 200, [{ name: 'a' }, { name: 'b' }]))
    expect((await callWith(['nmae']).expect(200)).body).toMatchObject({ output: [{}, {}], meta: { fields_missing: ['nmae'] } })
    onward.third.respond((_received, response) => void response.setHeader('content-type', 'text/plain').end('a text'))
    expect((await callWith(['id']).expect(200)).body).toEqual({ network_code: 200, output: null, meta: { fields_missing: ['id'] } })
  })

  it.each([
    ['nmae', 'name'],
    ['name.Sho_rt', 'name.short'],
    ['name.shrot', 'name.short'],
    ['Id', 'id'],
    ['creatd_at', 'created_at'],
    ['createdAt', 'created_at'],
    ['user', 'uses'],
  ])('refuses %s, which is likely a misspelling of the declared %s, before the call', async (path, meant) => {
    await joe.connect('desk')
    const sent = onward.third.received.length
    const { body } = await joe.call('desk-list-labels', { _fields: ['id', path] }).expect(400)
    expect(body.error_details).toEqual([`_fields[1]: ${path} is not known here; did you mean ${meant}?`])
    expect(onward.third.received).toHaveLength(sent)
  })

  it.each(['colour', 'iid', 'created_by', 'name.full.x', 'id.x'])('accepts %s, which can exist without being declared', async (path) => {
    await joe.connect('desk')
    const label = { id: { x: 1 }, iid: 2, colour: 'red', created_by: 'joe', name: { full: { x: 3 } } }
    onward.third.respond((_received, response) => sendJson(response, 200, { labels: [label] }))
    const { body } = await joe.call('desk-list-labels', { _fields: [path] }).expect(200)
    expect(body.meta).toBeUndefined()
    expect(Object.keys(body.output[0])).toEqual([path.split('.')[0]])
  })

  it('does not report a path that ends at null or at an empty list', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, { items: [], next: null }))
    const { body } = await callWith(['items.id', 'next.page']).expect(200)
    expect(body).toEqual({ network_code: 200, output: { items: [], next: null } })
  })

  it('keeps the digits of numbers', async () => {
    onward.third.respond((_received, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('{"id": 1909699624467843944, "price": 1.50, "other": 1}')
    })
    const { text } = await callWith(['id', 'price']).expect(200)
    expect(text).toBe('{"network_code":200,"output":{"id":1909699624467843944,"price":1.50}}')
  })

  it('returns an error of the app whole', async () => {
    onward.third.respond((_received, response) => sendJson(response, 404, { message: 'gone', id: 1 }))
    const { body } = await callWith(['id']).expect(200)
    expect(body).toEqual({ network_code: 404, output: { message: 'gone', id: 1 } })
  })

  it('does not change the stored output', async () => {
    const { headers } = await callWith(['total']).expect(200)
    const { body } = await joe.post(`/calls/${headers['x-call-id']}/get`).expect(200)
    expect(body).toMatchObject({ output: OUTPUT, arguments: {} })
  })

  it('is a part of the request that an Idempotency-Key stands for', async () => {
    const send = (fields: string[]) => callWith(fields).set('Idempotency-Key', 'fields')
    const first = await send(['total']).expect(200)
    const second = await send(['total']).expect(200)
    expect([second.body, second.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
    expect((await send(['items.id']).expect(409)).body.code).toBe('idempotency_conflict')
  })

  it('takes one path in a form, and null for the whole output', async () => {
    const { body } = await joe.call('notes-read-notes', '_fields=total').expect(200)
    expect(body.output).toEqual({ total: 3 })
    expect((await callWith(null).expect(200)).body.output).toEqual(OUTPUT)
  })

  it.each([
    ['id', '_fields: must be an array or null'],
    [[], '_fields: '],
    [[''], '_fields[0]: '],
    [['a..b'], '_fields[0]: '],
    [['x'.repeat(201)], '_fields[0]: '],
    [[7], '_fields[0]: must be text'],
    [Array.from({ length: 101 }, (_, n) => `f${n}`), '_fields: '],
  ])('refuses %j', async (fields, problem) => {
    onward.third.received.length = 0
    const { body } = await callWith(fields).expect(400)
    expect(body.error_details[0]).toContain(problem)
    expect(onward.third.received).toEqual([])
  })
})
