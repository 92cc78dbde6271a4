import { createHmac, randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestLine } from '@onward/testbed'
import request from 'supertest'
import { hashOf, latin1, useFunctions } from '../support/support.ts'

const LOG = join(tmpdir(), `onward-${randomUUID()}.log`)
const onward = useFunctions({ env: { LOG_LEVEL: 'info', LOG_FILE: LOG } })
afterAll(() => rm(LOG))

/** Sends a request that is refused. Nothing but the missing and malformed credentials may differ in the response. */
async function refused(sent: request.Test, details: readonly string[] = []): Promise<void> {
  const { body } = await sent.expect(401)
  const error =
    details.length > 0
      ? 'send a valid App-Key, User-ID and Hash'
      : 'App-Key, User-ID and Hash do not belong together; the Hash is HMAC-SHA256 of the User-ID, with the secret of the application'
  expect(body).toEqual({ error, error_details: details, code: 'unauthenticated', request_id: expect.any(String) })
}

const NO_KEY = 'App-Key: is missing'
const NO_USER = 'User-ID: is missing'
const NO_HASH = 'Hash: is missing'
const BAD_KEY = 'App-Key: must have 1 to 100 letters, digits, - and _'
const BAD_HASH = 'Hash: must be 64 hexadecimal digits'

type Headers = Record<string, string | string[]>

/** Sends exactly these headers. */
function send(headers: Headers, path = '/apps/list') {
  let sent = request(onward.url).post(path)
  for (const [name, value] of Object.entries(headers)) sent = sent.set(name, value as string)
  return sent
}

describe('the Hash header', () => {
  it('is HMAC-SHA256 of the User-ID under the secret, in hex', () => {
    const hash = 'f775af9faf7b49b6f96eeb4d4643b8e857bc1c9f4fe2024a831fca9f2ec1e0f6'
    expect(createHmac('sha256', 's').update('joe@example.com').digest('hex')).toBe(hash)
    expect(hashOf('s', 'joe@example.com')).toBe(hash)
  })

  it.each(['joe@example.com', 'zoë', '日本', '🙂', 'Zoe\u0301', '../etc', 'a b', "'; drop table application; --"])(
    'authenticates the user %j',
    async (id) => {
      await send(onward.user(id).headers).expect(200)
    },
  )

  it('is accepted in capital letters', async () => {
    const { headers } = onward.user('joe@example.com')
    await send({ ...headers, Hash: headers.Hash.toUpperCase() }).expect(200)
  })

  it('differs between composed and decomposed characters', async () => {
    const composed = onward.user('zo\u00eb').headers
    const decomposed = onward.user('zoe\u0308').headers
    expect(composed.Hash).not.toBe(decomposed.Hash)
    await refused(send({ ...composed, 'User-ID': decomposed['User-ID'] }))
  })
})

describe('authentication', () => {
  const wrong: [string, readonly string[], (good: Headers) => Headers][] = [
    ['no credentials', [NO_KEY, NO_USER, NO_HASH], () => ({})],
    ['no App-Key', [NO_KEY], ({ 'App-Key': _, ...rest }) => rest],
    ['no User-ID', [NO_USER], ({ 'User-ID': _, ...rest }) => rest],
    ['no Hash', [NO_HASH], ({ Hash: _, ...rest }) => rest],
    ['an empty App-Key', [NO_KEY], (good) => ({ ...good, 'App-Key': '' })],
    ['an empty User-ID', [NO_USER], (good) => ({ ...good, 'User-ID': '' })],
    ['an empty User-ID with its own hash', [NO_USER], (good) => ({ ...good, 'User-ID': '', Hash: hashOf(onward.application.secret, '') })],
    ['an empty Hash', [NO_HASH], (good) => ({ ...good, Hash: '' })],
    ['an unknown App-Key', [], (good) => ({ ...good, 'App-Key': 'app-2' })],
    ['an App-Key in capitals', [], (good) => ({ ...good, 'App-Key': 'APP-1' })],
    ['an App-Key that is not ASCII', [BAD_KEY], (good) => ({ ...good, 'App-Key': latin1('äpp-1') })],
    ['an App-Key that is not UTF-8', [BAD_KEY], (good) => ({ ...good, 'App-Key': '\u00ff\u00fe' })],
    ['an App-Key twice', [BAD_KEY], (good) => ({ ...good, 'App-Key': ['app-1', 'app-1'] })],
    ['a User-ID twice', [], (good) => ({ ...good, 'User-ID': ['joe', 'joe'] })],
    ['a Hash twice', [BAD_HASH], (good) => ({ ...good, Hash: [good.Hash as string, good.Hash as string] })],
    ['a truncated Hash', [BAD_HASH], (good) => ({ ...good, Hash: String(good.Hash).slice(0, -1) })],
    ['a Hash with an extra digit', [BAD_HASH], (good) => ({ ...good, Hash: `${good.Hash}0` })],
    ['a Hash of 10 kB', [BAD_HASH], (good) => ({ ...good, Hash: String(good.Hash).repeat(160) })],
    ['an App-Key of 10 kB', [BAD_KEY], (good) => ({ ...good, 'App-Key': 'a'.repeat(10_000) })],
    ['a User-ID of 10 kB', [], (good) => ({ ...good, 'User-ID': 'a'.repeat(10_000) })],
    ['a Hash that is not hex', [BAD_HASH], (good) => ({ ...good, Hash: 'g'.repeat(64) })],
    [
      'a Hash in base64',
      [`${BAD_HASH}, not base64`],
      (good) => ({ ...good, Hash: Buffer.from(String(good.Hash), 'hex').toString('base64') }),
    ],
    ['a Hash that is not ASCII', [BAD_HASH], (good) => ({ ...good, Hash: latin1('ﬀ'.repeat(32)) })],
    ['a Hash of zeros', [], (good) => ({ ...good, Hash: '0'.repeat(64) })],
    ["another user's Hash", [], (good) => ({ ...good, Hash: onward.user('ann').headers.Hash })],
    ['a Hash made with another secret', [], (good) => ({ ...good, Hash: hashOf('nobody', 'joe') })],
    ['a Hash with key and message swapped', [], (good) => ({ ...good, Hash: hashOf('joe', onward.application.secret) })],
  ]

  it.each(wrong)('answers %s with 401, and names only what is missing or malformed', async (_what, details, change) => {
    await refused(send(change(onward.user('joe').headers)), details)
  })

  it('answers 401 even for an unknown path', async () => {
    await refused(send({}, '/nowhere'), [NO_KEY, NO_USER, NO_HASH])
  })

  it('says that a path belongs to the other service, before it asks for credentials', async () => {
    const { body } = await request(onward.url).get('/partners/api/insights/users/tasks/').expect(404)
    expect(body.error).toBe('this is functions (area A); the paths below /partners are those of insights (area B)')
  })

  it('refuses a header of 1 MB with 431', async () => {
    const { status } = await send({ ...onward.user('joe').headers, Hash: 'f'.repeat(1_000_000) })
    expect(status).toBe(431)
  })
})

describe('the User-ID header', () => {
  it.each(['00', '09', '0a', '0d', '1b', '7f'])('is refused with 400 when it contains the control character 0x%s', async (code) => {
    const id = `jo${String.fromCharCode(Number.parseInt(code, 16))}e`
    const query = new URLSearchParams({ app_key: 'app-1', user_id: id, hash: hashOf(onward.application.secret, id) })
    const { body } = await send({}, `/apps/list?${query}`).expect(400)
    expect(body.code).toBe('invalid_user_id')
  })

  it.each(['.', '..'])('is refused with 400 when it is %s, also in the query', async (id) => {
    const user = onward.user(id)
    const query = new URLSearchParams({ app_key: 'app-1', user_id: id, hash: user.headers.Hash })
    for (const refused of [await send(user.headers).expect(400), await send({}, `/apps/list?${query}`).expect(400)]) {
      expect(refused.body.code).toBe('invalid_user_id')
    }
    await onward.user('...').post('/apps/list').expect(200)
  })

  it('has at most 1024 bytes', async () => {
    await send(onward.user('é'.repeat(512)).headers).expect(200)
    const { body } = await send(onward.user(`${'é'.repeat(512)}e`).headers).expect(400)
    expect(body.code).toBe('invalid_user_id')
  })
})

describe('the alternative form of the credentials', () => {
  it('accepts the headers app_key, user_id and hash', async () => {
    const { headers } = onward.user('zoë')
    await send({ app_key: headers['App-Key'], user_id: headers['User-ID'], hash: headers.Hash }).expect(200)
  })

  it('accepts query parameters with the same names', async () => {
    const { headers, userId } = onward.user('zoë & co')
    const query = new URLSearchParams({ app_key: headers['App-Key'], user_id: userId, hash: headers.Hash })
    await send({}, `/apps/list?${query}`).expect(200)
    await refused(send({}, `/apps/list?${query}&hash=${headers.Hash}`), [NO_HASH])
    await refused(send({}, `/apps/list?${String(query).replace('app-1', 'app-1%00')}`), [BAD_KEY])
    await send({ Hash: headers.Hash }, `/apps/list?${query}&hash=x`).expect(200)
  })

  it('is tried in the query when the headers are wrong, for a user id that an HTTP library garbled', async () => {
    const { headers, userId } = onward.user('zoë')
    const query = new URLSearchParams({ app_key: headers['App-Key'], user_id: userId, hash: headers.Hash })
    const garbled = { app_key: headers['App-Key'], user_id: 'zo\u00eb', hash: headers.Hash }
    await refused(send(garbled))
    await send(garbled, `/apps/list?${query}`).expect(200)
    await send({ ...headers, 'App-Key': 'app-2' }, `/apps/list?${query}`).expect(200)
    for (const name of ['app_key', 'user_id', 'hash']) {
      const incomplete = new URLSearchParams(query)
      incomplete.delete(name)
      await refused(send(garbled, `/apps/list?${incomplete}`))
    }
    await refused(send({ ...headers, Hash: hashOf('nobody', 'zoë') }, `/apps/list?${query}0`), [])
  })

  it('is ignored where the standard headers are present', async () => {
    const { headers } = onward.user('joe')
    await send({ ...headers, app_key: 'app-2', user_id: 'ann' }).expect(200)
    await refused(send({ ...headers, 'User-ID': 'ann', user_id: 'joe' }))
    await refused(send({ ...headers, 'User-ID': 'ann' }, '/apps/list?user_id=joe'))
  })

  it('never reaches the third party', async () => {
    const joe = onward.user('joe')
    await joe.connect('notes')
    const query = new URLSearchParams({ app_key: 'app-1', user_id: 'joe', hash: joe.headers.Hash })
    await send({}, `/functions/notes-read-notes/call?${query}`).expect(200)
    const [got] = onward.third.received
    expect(got?.url).toBe('/notes')
    expect(JSON.stringify(got)).not.toMatch(/app-1|joe|[0-9a-f]{64}/)
  })
})

describe('the log line of a request', () => {
  const lineOf = async ({ headers }: request.Response) => await requestLine(LOG, String(headers['x-request-id']))

  it('names the application, and the user by a pseudonym', async () => {
    const { headers } = onward.user('carol@example.com')
    const query = new URLSearchParams({ app_key: 'app-1', user_id: 'carol@example.com', hash: headers.Hash })
    const line = await lineOf(await send({}, `/apps/list?${query}`).expect(200))
    expect(line).toMatchObject({ method: 'POST', route: '/apps/list', status: 200, app_key: 'app-1' })
    expect(line.user).toMatch(/^[0-9a-f]{16}$/)
    expect((await lineOf(await send(headers).expect(200))).user).toBe(line.user)
    expect((await lineOf(await send(onward.user('dave').headers).expect(200))).user).not.toBe(line.user)
    const log = await readFile(LOG, 'utf8')
    for (const secret of ['carol', headers.Hash, onward.application.secret]) expect(log).not.toContain(secret)
  })

  it('has the route and the code, but no caller, if the credentials are wrong', async () => {
    const line = await lineOf(await send({ ...onward.user('joe').headers, Hash: '0'.repeat(64) }, '/functions/x/call').expect(401))
    expect(line).toMatchObject({ route: '/functions/:function_name/call', status: 401, code: 'unauthenticated' })
    expect(line).not.toHaveProperty('app_key')
    expect(line).not.toHaveProperty('user')
  })
})
