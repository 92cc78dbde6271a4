import { createHmac } from 'node:crypto'
import request from 'supertest'
import { hashOf, latin1, useFunctions } from './support.ts'

const onward = useFunctions()

const REFUSED = { error: 'send a valid App-Key, User-ID and Hash', error_details: [], code: 'unauthenticated' }

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
    await send({ ...composed, 'User-ID': decomposed['User-ID'] }).expect(401, REFUSED)
  })
})

describe('authentication', () => {
  const wrong: [string, (good: Headers) => Headers][] = [
    ['no credentials', () => ({})],
    ['no App-Key', ({ 'App-Key': _, ...rest }) => rest],
    ['no User-ID', ({ 'User-ID': _, ...rest }) => rest],
    ['no Hash', ({ Hash: _, ...rest }) => rest],
    ['an empty App-Key', (good) => ({ ...good, 'App-Key': '' })],
    ['an empty User-ID', (good) => ({ ...good, 'User-ID': '' })],
    ['an empty User-ID with its own hash', (good) => ({ ...good, 'User-ID': '', Hash: hashOf(onward.application.secret, '') })],
    ['an empty Hash', (good) => ({ ...good, Hash: '' })],
    ['an unknown App-Key', (good) => ({ ...good, 'App-Key': 'app-2' })],
    ['an App-Key in capitals', (good) => ({ ...good, 'App-Key': 'APP-1' })],
    ['an App-Key that is not ASCII', (good) => ({ ...good, 'App-Key': latin1('äpp-1') })],
    ['an App-Key that is not UTF-8', (good) => ({ ...good, 'App-Key': '\u00ff\u00fe' })],
    ['an App-Key twice', (good) => ({ ...good, 'App-Key': ['app-1', 'app-1'] })],
    ['a User-ID twice', (good) => ({ ...good, 'User-ID': ['joe', 'joe'] })],
    ['a Hash twice', (good) => ({ ...good, Hash: [good.Hash as string, good.Hash as string] })],
    ['a truncated Hash', (good) => ({ ...good, Hash: String(good.Hash).slice(0, -1) })],
    ['a Hash with an extra digit', (good) => ({ ...good, Hash: `${good.Hash}0` })],
    ['a Hash of 10 kB', (good) => ({ ...good, Hash: String(good.Hash).repeat(160) })],
    ['an App-Key of 10 kB', (good) => ({ ...good, 'App-Key': 'a'.repeat(10_000) })],
    ['a User-ID of 10 kB', (good) => ({ ...good, 'User-ID': 'a'.repeat(10_000) })],
    ['a Hash that is not hex', (good) => ({ ...good, Hash: 'g'.repeat(64) })],
    ['a Hash in base64', (good) => ({ ...good, Hash: Buffer.from(String(good.Hash), 'hex').toString('base64') })],
    ['a Hash that is not ASCII', (good) => ({ ...good, Hash: latin1('ﬀ'.repeat(32)) })],
    ['a Hash of zeros', (good) => ({ ...good, Hash: '0'.repeat(64) })],
    ["another user's Hash", (good) => ({ ...good, Hash: onward.user('ann').headers.Hash })],
    ['a Hash made with another secret', (good) => ({ ...good, Hash: hashOf('nobody', 'joe') })],
    ['a Hash with key and message swapped', (good) => ({ ...good, Hash: hashOf('joe', onward.application.secret) })],
  ]

  it.each(wrong)('answers %s with 401 and always the same body', async (_what, change) => {
    await send(change(onward.user('joe').headers)).expect(401, REFUSED)
  })

  it('answers 401 even for an unknown path', async () => {
    await send({}, '/nowhere').expect(401, REFUSED)
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
    await send({}, `/apps/list?${query}&hash=${headers.Hash}`).expect(401, REFUSED)
    await send({}, `/apps/list?${String(query).replace('app-1', 'app-1%00')}`).expect(401, REFUSED)
    await send({ Hash: headers.Hash }, `/apps/list?${query}&hash=x`).expect(200)
  })

  it('is ignored where the standard headers are present', async () => {
    const { headers } = onward.user('joe')
    await send({ ...headers, app_key: 'app-2', user_id: 'ann' }).expect(200)
    await send({ ...headers, 'User-ID': 'ann', user_id: 'joe' }).expect(401, REFUSED)
    await send({ ...headers, 'User-ID': 'ann' }, '/apps/list?user_id=joe').expect(401, REFUSED)
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
