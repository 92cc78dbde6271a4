import type { Received } from '@onward/testbed'
import { type Functions, openFunctions, type User } from './support.ts'

let onward: Functions
let joe: User

beforeAll(async () => {
  onward = await openFunctions()
  joe = onward.user('joe')
  for (const app of ['desk', 'notes'] as const) await joe.connect(app)
})
beforeEach(() => {
  onward.third.received.length = 0
})

/** Calls, and gives the one request that the third party received. */
async function sent(name: string, body?: object | string): Promise<Received> {
  await joe.call(name, body).expect(200)
  expect(onward.third.received).toHaveLength(1)
  return onward.third.received[0] as Received
}

describe('a tag in a parameter', () => {
  const _variables = {
    ...{ name: 'Ada', age: 36, vip: true, none: null, list: [1, { a: 'b' }], contact: { email: 'a@b.example', 'first-name': 'A' } },
    ...{ items: [{ id: 7 }], nested: '{name}', brace: 'a}b' },
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
  ])('%j becomes %j', async (value, expected) => {
    const { body } = await sent('notes-add-note', { note: { value }, _variables })
    expect(JSON.parse(body)).toEqual({ note: { value: expected } })
  })

  it('stays as it is without _variables', async () => {
    const note = { a: '{name}', b: '{{name}}', c: 'x {age} y' }
    expect(JSON.parse((await sent('notes-add-note', { note })).body)).toEqual({ note })
    onward.third.received.length = 0
    expect(JSON.parse((await sent('notes-add-note', { note, _variables: null })).body)).toEqual({ note })
  })

  it('is checked against the schema with the value of its variable', async () => {
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
  ])('that names no variable is refused by name: %s', async (value, tags) => {
    const { body } = await joe.call('notes-add-note', { note: { value }, _variables }).expect(400)
    expect(body).toEqual({
      error: expect.any(String),
      error_details: tags.map((tag) => `_variables: has no value for {${tag}}`),
      code: 'invalid_parameters',
    })
    expect(onward.third.received).toHaveLength(0)
  })

  it('may come ten thousand times', async () => {
    const { body } = await sent('notes-add-note', { note: { value: '{age}'.repeat(10_000) }, _variables })
    expect(JSON.parse(body).note.value).toBe('36'.repeat(10_000))
  })
})
