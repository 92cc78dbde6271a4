import { writeJson } from '@onward/json'
import { type Draft, fillDraft, PROBLEMS, readDraft } from '../src/pages/playground/draft.ts'
import type { Field } from '../src/pages/playground/fields.ts'
import { withoutSecrets } from '../src/pages/playground/kept-draft.ts'
import { jsonRows } from '../src/ui/json-rows.ts'

function field(name: string, rest: Partial<Field> = {}): Field {
  const plain = { path: name, label: name, help: '', required: false, nullable: false, placeholder: '', defaultValue: undefined } as const
  const kind = { kind: 'line', many: false, numeric: undefined, options: [], source: undefined, fields: [], shapes: [] } as const
  return { name, ...plain, ...kind, ...rest }
}

const FIELDS: readonly Field[] = [
  field('name', { required: true }),
  field('age', { kind: 'number', numeric: 'integer' }),
  field('level', { kind: 'choice', options: [1, 2].map((id) => ({ id, value: `Level ${id}` })) }),
  field('active', { kind: 'flag' }),
  field('tags', { many: true }),
  field('more', { kind: 'json' }),
  field('due', { nullable: true }),
  field('owner', { kind: 'group', nullable: true, fields: [field('name', { required: true, nullable: true })] }),
  field('marks', { many: true, nullable: true }),
  field('address', { kind: 'group', fields: [field('city', { required: true }), field('country')] }),
  field('people', { kind: 'group', many: true, fields: [field('email', { required: true })] }),
]

describe('readDraft', () => {
  it('returns each value with the type of its field, and leaves out what was not entered', () => {
    const draft: Draft = {
      name: 'Ada',
      age: '36',
      level: '2',
      active: 'false',
      tags: ['a', '', 'b'],
      more: '{"x": [1]}',
      address: { city: 'London', country: '' },
      people: [{ email: 'a@example.com' }],
    }
    const args = {
      name: 'Ada',
      age: 36,
      level: 2,
      active: false,
      tags: ['a', 'b'],
      more: { x: [1] },
      address: { city: 'London' },
      people: [{ email: 'a@example.com' }],
    }
    expect(readDraft(FIELDS, draft)).toEqual({ args, problems: {} })
  })

  it('keeps the digits of numbers, and shows them again', () => {
    const draft = { name: 'x', age: '1909699624467843944', more: '{\n  "n": 1.50\n}' }
    const { args, problems } = readDraft(FIELDS, draft)
    expect([writeJson(args), problems]).toEqual(['{"name":"x","age":1909699624467843944,"more":{"n":1.50}}', {}])
    expect(fillDraft(FIELDS, args).draft).toEqual(draft)
    expect(jsonRows(args, () => true).map(({ path, kind, size }) => [path, kind, size])).toContainEqual(['$.age', 'number', 0])
  })

  it.each<[string, Draft, Record<string, string>]>([
    ['nothing', {}, { name: PROBLEMS.required }],
    ['an empty text', { name: '' }, { name: PROBLEMS.required }],
    ['a number with a fraction', { name: 'x', age: '1.5' }, { age: PROBLEMS.integer }],
    ['text for a number', { name: 'x', age: 'old' }, { age: PROBLEMS.integer }],
    ['broken JSON', { name: 'x', more: '{' }, { more: PROBLEMS.json }],
    ['half a group', { name: 'x', address: { country: 'UK' } }, { 'address.city': PROBLEMS.required }],
    ['an untouched group', { name: 'x', address: {} }, {}],
    ['null for what it needs', { name: 'x', owner: { name: null } }, {}],
    ['an item without what it needs', { name: 'x', people: [{ email: 'a@example.com' }, { email: '' }] }, {}],
  ])('with %s, returns the problems by path', (_, draft, problems) => {
    expect(readDraft(FIELDS, draft).problems).toEqual(problems)
  })
})

describe('a field that may be null', () => {
  it('keeps null apart from nothing and an empty text', () => {
    const args = { name: 'Ada', due: null, owner: null, marks: null }
    const { draft, unknown } = fillDraft(FIELDS, args)
    expect([readDraft(FIELDS, draft).args, unknown]).toEqual([args, []])
    expect(withoutSecrets(FIELDS, draft)).toEqual(draft)
    const inner = fillDraft(FIELDS, { name: 'Ada', owner: { name: null } }).draft
    expect(readDraft(FIELDS, inner).args).toEqual({ name: 'Ada', owner: { name: null } })
    expect(readDraft(FIELDS, { name: 'Ada', due: '', owner: {}, marks: [] }).args).toEqual({ name: 'Ada' })
  })

  it('is the only one that gets null from arguments', () => {
    expect(readDraft(FIELDS, fillDraft(FIELDS, { name: 'Ada', age: null }).draft)).toEqual({ args: { name: 'Ada' }, problems: {} })
  })
})

describe('fillDraft', () => {
  it('returns entries from which the same arguments are read', () => {
    const args = {
      name: 'Ada',
      age: 36,
      level: 1,
      active: true,
      tags: ['a'],
      more: [1],
      address: { city: 'Rome' },
      people: [{ email: 'x' }],
    }
    const { draft, missing, unknown } = fillDraft(FIELDS, args)
    expect([readDraft(FIELDS, draft).args, missing, unknown]).toEqual([args, [], []])
  })

  it('names what was redacted, and what has no field or does not fit', () => {
    const args = { name: 'Bearer [redacted]', tags: ['ok', '[redacted]'], level: 9, old: 1, address: { zip: 5 }, people: 'x' }
    const { draft, missing, unknown } = fillDraft(FIELDS, args)
    expect(missing).toEqual(['name', 'tags[1]'])
    expect(unknown).toEqual(['level', 'old', 'address.zip', 'people'])
    expect(readDraft(FIELDS, draft).args).toEqual({ tags: ['ok'] })
  })
})

describe('withoutSecrets', () => {
  it.each([
    ['name', 'Ada Lovelace', true],
    ['email', 'ada.lovelace.1815@example.com', true],
    ['due', '2026-11-23T09:00:00.000Z', true],
    ['password', 'x', false],
    ['api_key', 'x', false],
    ['text', 'use sk_live_4f9c2e7b1d8a6053e2 for it', false],
    ['url', 'https://example.com/hook?key=9f8e7d6c5b4a39281706', false],
  ])('of the field %s with %p keeps it: %p', (name, text, kept) => {
    expect(withoutSecrets([field(name)], { [name]: text })).toEqual(kept ? { [name]: text } : {})
  })

  it('keeps no JSON, which can hold anything, and looks into groups and lists', () => {
    const draft = { more: '{}', address: { city: 'Rome', country: 'a1b2c3d4e5f6a7b8c9' }, tags: ['one', 'ghp_0123456789abcdefABCD'] }
    expect(withoutSecrets(FIELDS, draft)).toEqual({ address: { city: 'Rome' }, tags: ['one'] })
  })
})
