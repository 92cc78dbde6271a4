import { openKinds } from './kinds.ts'

let kinds: Awaited<ReturnType<typeof openKinds>>
beforeAll(async () => {
  kinds = await openKinds()
})

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The headers that could carry a secret, and the address, of what arrived last. */
function arrived(): object {
  const { url, headers } = kinds.last()
  const names = ['authorization', 'x-several-key', 'x-app-key', 'x-signed', 'x-access']
  return { url, ...Object.fromEntries(names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]])) }
}

describe('an account signs its calls', () => {
  it.each<[string, Record<string, string>, object]>([
    ['several', { api_key: 'k-0123456789' }, { url: '/read', 'x-several-key': 'Key k-0123456789' }],
    ['several', { token: 't-0123456789' }, { url: '/read', authorization: 'Bearer t-0123456789' }],
    ['several', { username: 'ada', password: 'p:ü' }, { url: '/read', authorization: `Basic ${base64('ada:p:ü')}` }],
    [
      'several',
      { app_key: 'a-0123456789', user_key: 'u/+&0123456789', team: 'red' },
      { url: '/read?sig=u%2F%2B%260123456789', 'x-app-key': 'a-0123456789', 'x-signed': 'red:u/+&0123456789' },
    ],
    ['several', { access_token: 'o-0123456789' }, { url: '/read', 'x-access': 'o-0123456789' }],
    [
      'several',
      { access_token: 'o-0123456789', refresh_token: 'r-0123456789', expires_at: '2999-01-01T00:00:00Z' },
      { url: '/read', 'x-access': 'o-0123456789' },
    ],
    ['several', {}, { url: '/read' }],
    [
      'parcel',
      { email: 'a@b.c', api_token: 'x-0123456789' },
      { url: '/read?fixed=1', authorization: `Basic ${base64('a@b.c/token:x-0123456789')}` },
    ],
    ['parcel', { api_key: 'k&=0123456789' }, { url: '/read?fixed=1&key=k%26%3D0123456789' }],
    ['robot', { bot_token: '12:ab/../c?d#e' }, { url: '/bot12:ab%2F..%2Fc%3Fd%23e/read' }],
  ])('of %s with %j', async (app, credentials, expected) => {
    const user = await kinds.connect(app, credentials)
    await user.call(`${app}-read`).expect(200)
    expect(arrived()).toEqual(expected)
  })

  it('in the path, before that of its own server', async () => {
    const user = await kinds.connect('robot', { bot_token: '12:ab-0123456789' }, '/base')
    await user.call('robot-read').expect(200)
    expect(arrived()).toEqual({ url: '/bot12:ab-0123456789/base/read' })
  })

  it('when it sends any request, too', async () => {
    const robot = await kinds.connect('robot', { bot_token: '12:ab-0123456789' })
    await robot.call('robot-passthrough-request', { url: '/a/../b?c=1' }).expect(200)
    expect(arrived()).toEqual({ url: '/bot12:ab-0123456789/b?c=1' })
    const custom = await kinds.connect('several', { app_key: 'a-0123456789', user_key: 'u-0123456789', team: 'red' })
    await custom.call('several-passthrough-request', { url: '/x', query: { q: 1 } }).expect(200)
    expect(arrived()).toEqual({ url: '/x?q=1&sig=u-0123456789', 'x-app-key': 'a-0123456789', 'x-signed': 'red:u-0123456789' })
  })

  it('by what only its own scheme may set', async () => {
    const user = await kinds.connect('several', { token: 't-0123456789' })
    const before = kinds.onward.third.received.length
    for (const request of [{ headers: { 'X-App-Key': 'x' } }, { headers: { 'x-access': 'x' } }, { query: { sig: 'x' } }]) {
      await user.call('several-passthrough-request', { url: '/x', ...request }).expect(400)
    }
    expect(kinds.onward.third.received).toHaveLength(before)
  })
})

describe('an answer that echoes secrets', () => {
  it.each<[string, Record<string, string>, string[], string[]]>([
    [
      'several',
      { app_key: 'a-0123456789', user_key: 'u/0123456789', team: 'red-and-blue' },
      ['a-0123456789', 'u/0123456789', 'u%2F0123456789'],
      ['red-and-blue'],
    ],
    ['several', { access_token: 'o-0123456789', refresh_token: 'r-0123456789' }, ['o-0123456789', 'r-0123456789'], []],
    [
      'parcel',
      { email: 'ada@example.com', api_token: 'x-0123456789' },
      ['x-0123456789', base64('ada@example.com/token:x-0123456789')],
      ['ada@example.com'],
    ],
  ])('of %s with %j shows none', async (app, credentials, hidden, shown) => {
    const user = await kinds.connect(app, credentials)
    kinds.onward.third.answer((_received, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ hidden, shown }))
    })
    const { body } = await user.call(`${app}-read`).expect(200)
    expect(body.output).toEqual({ hidden: hidden.map(() => '[redacted]'), shown })
  })
})

describe('an account that fits no scheme', () => {
  it.each<[string, Record<string, string>, string]>([
    ['parcel', {}, 'credentials.email: is missing'],
    ['parcel', { email: 'a@b.c' }, 'credentials.api_token: is missing'],
    ['parcel', { email: 'a@b.c', api_token: 'x', api_key: 'y' }, 'credentials.api_key: belongs to another way to connect'],
    ['robot', { bot_token: 'a\r\nb' }, 'credentials.bot_token: must not hold line breaks'],
  ])('is not connected: %s %j', async (app, credentials, problem) => {
    const sent = { user_id: 'u', app, credentials: { url: kinds.onward.third.url, ...credentials } }
    const path = `/admin/applications/${kinds.onward.application.appKey}/connected-accounts`
    const { body } = await kinds.onward.admin('post', path, sent).expect(400)
    expect(body.error_details.join()).toContain(problem)
  })
})
