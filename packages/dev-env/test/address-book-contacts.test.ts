import { contactsOf, useAddressBook } from './use-address-book.ts'

const { ask, get } = useAddressBook()

describe('a contact', () => {
  const ada = { name: 'Ada Testborough', email: 'ada@example.org' }

  it('can be created, read, changed and deleted', async () => {
    const made = await ask('POST', '/contacts', {
      ...ada,
      phone: '1',
      tags: ['a'],
      group: 'work',
      address: { city: 'Bergen' },
      favourite: true,
    })
    const expected = {
      id: 121,
      ...ada,
      phone: '1',
      tags: ['a'],
      group: 'work',
      address: { city: 'Bergen', country: null },
      favourite: true,
    }
    expect([made.status, made.body]).toEqual([201, { ...expected, created_at: expect.stringMatching(/^\d{4}-.*Z$/) }])
    expect((await get('/contacts/121')).body).toEqual(made.body)

    const changed = await ask('PATCH', '/contacts/121', { group: null, address: null, name: 'Ada T.' })
    expect([changed.status, changed.body]).toEqual([200, { ...made.body, group: null, address: null, name: 'Ada T.' }])
    expect(contactsOf(await get('/contacts?search=ada%20t.'))).toEqual([changed.body])

    expect((await ask('DELETE', '/contacts/121')).body).toEqual({ deleted: 121 })
    expect((await ask('DELETE', '/contacts/121')).status).toBe(404)
    expect((await ask('POST', '/contacts', ada)).body).toMatchObject({
      id: 122,
      tags: [],
      group: null,
      address: null,
      favourite: false,
    })
  })

  it.each(['0', '121', '-1', '1.5', '01', 'abc', '%2e%2e%2f', '99999999999999999999'])(
    'is 404 if there is none with the id %s',
    async (id) => {
      const got = await get(`/contacts/${id}`)
      expect([got.status, got.body]).toEqual([404, { error: 'There is no such contact.' }])
      expect((await ask('PATCH', `/contacts/${id}`, {})).status).toBe(404)
    },
  )

  it.each([
    [{}, ['name', 'email']],
    [{ name: ' ', email: 'ada' }, ['name', 'email']],
    [{ ...ada, name: 'x'.repeat(201) }, ['name']],
    [{ ...ada, email: 'a b@example.com' }, ['email']],
    [{ ...ada, group: 'strangers' }, ['group']],
    [{ ...ada, phone: 5, tags: 'a', favourite: 'yes' }, ['phone', 'tags', 'favourite']],
    [{ ...ada, tags: ['a', 1] }, ['tags']],
    [{ ...ada, address: { city: 1 } }, ['address']],
    [{ ...ada, address: { street: 'x' } }, ['address']],
    [{ ...ada, id: 5, created_at: 'now' }, ['id', 'created_at']],
  ])('is refused with 422 and the names of its invalid fields: %j', async (input, fields) => {
    const got = await ask('POST', '/contacts', input)
    expect([got.status, Object.keys(got.body.fields as object)]).toEqual([422, fields])
    expect((await get('/contacts/121')).status).toBe(404)
  })

  it('stays unchanged if one field of a change is invalid', async () => {
    const before = (await get('/contacts/1')).body
    const got = await ask('PATCH', '/contacts/1', { name: 'Other', group: 'strangers' })
    expect([got.status, got.body.fields]).toEqual([422, { group: 'must be the id of a group' }])
    expect((await get('/contacts/1')).body).toEqual(before)
  })

  it.each([
    ['{"name":', 400],
    ['[]', 422],
    ['null', 422],
    ['"text"', 422],
    ['{"__proto__":{"name":"x"}}', 422],
    [`{"name":"${'x'.repeat(70_000)}"}`, 413],
  ])('is refused if the body is not a JSON object or is too large (%#)', async (body, status) => {
    const got = await ask('POST', '/contacts', body)
    expect([got.status, typeof got.body.error]).toEqual([status, 'string'])
  })
})
