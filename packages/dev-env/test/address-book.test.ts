import { openAddressBook } from '../src/demo/address-book.ts'
import { useAddressBook } from './use-address-book.ts'

const { ask, current, get } = useAddressBook()

describe('API key', () => {
  it.each([['wrong'], [''], ['key ey']])('is refused with 401 if it is %j', async (key) => {
    const got = await ask('GET', '/contacts', undefined, key)
    expect([got.status, got.type]).toEqual([401, 'application/json; charset=utf-8'])
    expect(got.body).toEqual({ error: 'Send the API key of the address book as X-API-Key.' })
  })

  it('is checked before the path', async () => {
    expect((await fetch(`${current().url}/nothing/here`)).status).toBe(401)
  })
})

describe('POST /fail', () => {
  it.each([400, 404, 429, 500, 503, 599])('responds with status %i', async (status) => {
    const got = await ask('POST', '/fail', { status })
    expect([got.status, got.body]).toEqual([status, { error: `You requested status ${status}.` }])
  })

  it.each([{}, { status: 200 }, { status: 600 }, { status: '500' }, null])('refuses %j', async (body) => {
    expect((await ask('POST', '/fail', body)).status).toBe(422)
  })
})

describe('GET /wait', () => {
  it('responds after the requested number of seconds', async () => {
    const started = performance.now()
    expect((await get('/wait?seconds=0.2')).body).toEqual({ waited_seconds: 0.2 })
    expect(performance.now() - started).toBeGreaterThanOrEqual(190)
  })

  it.each(['', '?seconds=', '?seconds=-1', '?seconds=121', '?seconds=long', '?seconds=1e1'])('refuses /wait%s', async (query) => {
    expect((await get(`/wait${query}`)).status).toBe(400)
  })

  it('is ended by close()', async () => {
    const waiting = get('/wait?seconds=100').then(
      () => 'answered',
      () => 'ended',
    )
    // The first request has arrived when a later one is answered.
    await get('/groups')
    const started = performance.now()
    await current().close()
    expect(await waiting).toBe('ended')
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('the address book', () => {
  it('responds 404 to an unknown path and 405 to an unknown method', async () => {
    expect((await get('/nothing')).body).toEqual({ error: 'There is no such path.' })
    const got = await ask('PUT', '/contacts/1', {})
    expect([got.status, got.body]).toEqual([405, { error: 'Allowed methods: GET, PATCH, DELETE.' }])
  })
})

describe('openAddressBook', () => {
  it('throws if the port is in use', async () => {
    const port = Number(new URL(current().url).port)
    await expect(openAddressBook({ port, apiKey: 'key' })).rejects.toThrow('EADDRINUSE')
  })
})
