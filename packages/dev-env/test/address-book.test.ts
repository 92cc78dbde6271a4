import { type AddressBook, openAddressBook } from '../src/demo/open-address-book.ts'
import { ask } from './ask-address-book.ts'

let book: AddressBook

beforeEach(async () => {
  book = await openAddressBook({ port: 0, apiKey: 'key' })
})

afterEach(() => book.close())

const get = (path: string) => ask(book, 'GET', path)

describe('the API key', () => {
  it.each([['wrong'], [''], ['key ey']])('must be right: %j is not', async (key) => {
    const got = await ask(book, 'GET', '/contacts', undefined, key)
    expect([got.status, got.type]).toEqual([401, 'application/json; charset=utf-8'])
    expect(got.body).toEqual({ error: 'Send the API key of the address book as X-API-Key.' })
  })

  it('is asked for before anything else', async () => {
    expect((await fetch(`${book.url}/nothing/here`)).status).toBe(401)
  })
})

describe('POST /fail', () => {
  it.each([400, 404, 429, 500, 503, 599])('answers %i', async (status) => {
    const got = await ask(book, 'POST', '/fail', { status })
    expect([got.status, got.body]).toEqual([status, { error: `This is the ${status} that was asked for.` }])
  })

  it.each([{}, { status: 200 }, { status: 600 }, { status: '500' }, null])('refuses %j', async (body) => {
    expect((await ask(book, 'POST', '/fail', body)).status).toBe(422)
  })
})

describe('GET /wait', () => {
  it('answers after the seconds asked for', async () => {
    const started = performance.now()
    expect((await get('/wait?seconds=0.2')).body).toEqual({ waited_seconds: 0.2 })
    expect(performance.now() - started).toBeGreaterThanOrEqual(190)
  })

  it.each(['', '?seconds=', '?seconds=-1', '?seconds=121', '?seconds=long', '?seconds=1e1'])('refuses /wait%s', async (query) => {
    expect((await get(`/wait${query}`)).status).toBe(400)
  })

  it('is ended by close', async () => {
    const waiting = get('/wait?seconds=100').then(
      () => 'answered',
      () => 'ended',
    )
    // It has arrived by the time that a later one is answered.
    await get('/groups')
    const started = performance.now()
    await book.close()
    expect(await waiting).toBe('ended')
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('anything else', () => {
  it('is 404, or 405 for another method', async () => {
    expect((await get('/nothing')).body).toEqual({ error: 'There is nothing here.' })
    const got = await ask(book, 'PUT', '/contacts/1', {})
    expect([got.status, got.body]).toEqual([405, { error: 'This takes GET, PATCH, DELETE.' }])
  })
})

describe('openAddressBook', () => {
  it('says when the port is taken', async () => {
    const port = Number(new URL(book.url).port)
    await expect(openAddressBook({ port, apiKey: 'key' })).rejects.toThrow('EADDRINUSE')
  })
})
