import { sendJson } from '@onward/testbed'
import { type User, useKinds } from '../support/support.ts'

const { onward, connect, last } = useKinds()

const SECRET = 'k3y/+of=the account'
type Shown = { readonly name: string; readonly value: string }
type Preview = {
  readonly method: string
  readonly url: string
  readonly headers: readonly Shown[]
  readonly body: string | null
  readonly body_is_binary: boolean
  readonly account_id: number | null
}

const send = (user: string, name: string, args: object = {}, query = '') =>
  onward.admin('post', `/admin/applications/app-1/users/${user}/functions/${name}/preview${query}`, args)

async function preview(user: Pick<User, 'userId'>, name: string, args: object = {}, query = ''): Promise<Preview> {
  onward.third.received.length = 0
  const rows = await onward.rows()
  const { body, text } = await send(user.userId, name, args, query).expect(200)
  expect(onward.third.received).toEqual([])
  expect(await onward.rows()).toEqual(rows)
  for (const part of [SECRET, 'k3y', 'of=the', encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64').slice(0, -4)]) {
    expect(text).not.toContain(part)
  }
  return body
}

const headersOf = ({ headers }: Preview) => Object.fromEntries(headers.map(({ name, value }) => [name, value]))

describe('the preview of a call', () => {
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, string>>, string]>([
    ['several', { api_key: SECRET }, { 'x-several-key': 'Key [redacted]' }, '/read?q=a%20b'],
    ['several', { token: SECRET }, { authorization: 'Bearer [redacted]' }, '/read?q=a%20b'],
    ['several', { username: 'ada', password: SECRET }, { authorization: 'Basic [redacted]' }, '/read?q=a%20b'],
    [
      'several',
      { app_key: SECRET, user_key: SECRET, team: 'blue' },
      { 'x-app-key': '[redacted]', 'x-signed': 'blue:[redacted]' },
      '/read?q=a%20b&sig=[redacted]',
    ],
    ['parcel', { email: 'ada@example.com', api_token: SECRET }, { authorization: 'Basic [redacted]' }, '/read?fixed=1'],
    ['parcel', { api_key: SECRET }, {}, '/read?fixed=1&key=[redacted]'],
    ['robot', { bot_token: SECRET }, {}, '/bot[redacted]/read'],
  ])('shows the request of %s with the credentials %j redacted', async (app, credentials, headers, path) => {
    const user = await connect(app, credentials)
    const args = app === 'several' ? { q: 'a b' } : {}
    const shown = await preview(user, `${app}-read`, args)
    expect(shown).toMatchObject({ method: 'GET', url: `${onward.third.url}${path}`, body: null, body_is_binary: false })
    expect(headersOf(shown)).toMatchObject(headers)
    expect(shown.account_id).toEqual(expect.any(Number))
  })

  it('is the request that the call then sends, but for the secrets', async () => {
    const user = await connect('bodies', { token: SECRET })
    const args = { text: '{who}', number: 3, _variables: { who: 'Zoë' } }
    const shown = await preview(user, 'bodies-json', args)
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    await user.call('bodies-json', args).expect(200)
    const sent = last()
    expect(shown).toMatchObject({ method: sent.method, url: `${onward.third.url}${sent.url}`, body: sent.body.toString() })
    const { authorization, ...headers } = headersOf(shown)
    expect(sent.headers).toMatchObject(headers)
    expect([authorization, sent.headers.authorization]).toEqual(['Bearer [redacted]', `Bearer ${SECRET}`])
  })

  it.each([
    [{ url: 'https://files.example/a.png' }, '<file from https://files.example/a.png>'],
    [{ base64: Buffer.from('secret pixels').toString('base64'), name: 'a.png' }, '<file of 13 bytes>'],
  ])('does not load the file %j, and shows in its place %s', async (file, text) => {
    const user = await connect('bodies', { token: SECRET })
    const shown = await preview(user, 'bodies-upload', { file, caption: 'mine' })
    expect(shown.body_is_binary).toBe(true)
    expect(shown.body).toMatch(/mine[\s\S]*filename="(file|a\.png)"/)
    expect(shown.body).toContain(text)
    const raw = await preview(user, 'bodies-put-file', { file, path: 'x' })
    expect(raw).toMatchObject({ body: text, body_is_binary: true })
    const several = await preview(user, 'bodies-upload', { file, more: [file, file] })
    expect(several.body?.match(/name="more"; filename/g)).toHaveLength(2)
  })

  it('needs no account where the call needs none', async () => {
    expect(await preview({ userId: 'joe' }, 'clock-get-time')).toMatchObject({ url: 'https://localhost:1/time', account_id: null })
  })

  it('does not renew a token that has expired', async () => {
    const user = await connect('several', { access_token: SECRET, refresh_token: SECRET, expires_at: '2020-01-01T00:00:00Z' })
    expect(headersOf(await preview(user, 'several-read'))).toMatchObject({ 'x-access': '[redacted]' })
  })

  it('refuses what the call refuses', async () => {
    const user = await connect('bodies', { token: SECRET })
    const refused = await send(user.userId, 'bodies-put-file', { path: 'x', text: 5 }).expect(400)
    expect(refused.body).toMatchObject({
      code: 'invalid_parameters',
      error_details: expect.arrayContaining([expect.stringMatching(/^text: /)]),
    })
    expect((await send('nobody', 'bodies-json').expect(400)).body.code).toBe('account_not_connected')
    expect((await send(user.userId, 'bodies-nothing').expect(404)).body.code).toBe('function_not_found')
    expect((await send(user.userId, 'bodies-json', {}, '?connected_account_id=1000').expect(400)).body.code).toBe('account_not_found')
    const other = onward.admin('post', '/admin/applications/nobody/users/joe/functions/clock-get-time/preview', {})
    expect((await other.expect(404)).body.code).toBe('application_not_found')
  })
})
