import { SECRETS, useFunctions } from '../support/support.ts'

const onward = useFunctions()

/** Makes the third party answer with a text built from the credentials it received. */
function echo(make: (authorization: string) => string): void {
  onward.third.respond(
    ({ headers, url }, response) => void response.end(make(headers.authorization ?? String(headers['x-desk-key'] ?? url))),
  )
}

/** Makes a call and returns its output, which must equal the logged output. */
async function output(app: 'desk' | 'maps' | 'crm' | 'phone', credentials: Record<string, string>, args: object = { url: '/x' }) {
  const user = onward.user(`user-${Math.random()}`)
  await user.connect(app, credentials)
  const { body, headers } = await user.call(`${app}-passthrough-request`, args).expect(200)
  const logged = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
  expect(logged.body.output).toEqual(body.output)
  return { output: body.output, args: logged.body.arguments }
}

describe('credentials that a third party echoes', () => {
  it('are replaced in JSON', async () => {
    echo((header) => JSON.stringify({ got: header, [header]: [header] }))
    const hidden = 'Token [redacted]'
    expect((await output('desk', {})).output).toEqual({ got: hidden, [hidden]: [hidden] })
  })

  it('are replaced in text at every occurrence', async () => {
    echo((header) => `<p>${header}</p>${header}`)
    expect((await output('crm', {})).output).toBe('<p>Bearer [redacted]</p>Bearer [redacted]')
  })

  it.each(['phone-pass-0123456789', 'Schlüssel-0123456789'])(
    'are replaced in bytes that are not declared as text: %s',
    async (password) => {
      onward.third.respond((_received, response) => {
        response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(`password=${password}`)
      })
      expect((await output('phone', { password })).output).toBe('password=[redacted]')
    },
  )

  it('are replaced in an error response', async () => {
    onward.third.respond(({ headers }, response) => void response.writeHead(401).end(JSON.stringify({ bad: headers.authorization })))
    expect((await output('crm', {})).output).toEqual({ bad: 'Bearer [redacted]' })
  })

  it('are replaced under basic authentication, except for the user name', async () => {
    const { username, password } = { username: 'long-user-name', password: 'long-user-name-and-more' }
    echo((header) => JSON.stringify([header, username, password, `${username}:${password}`]))
    expect((await output('phone', { username, password })).output).toEqual([
      'Basic [redacted]',
      'long-user-name',
      '[redacted]',
      'long-user-name:[redacted]',
    ])
  })

  it('are replaced under basic authentication, including the user name when the password is empty', async () => {
    const username = 'key-as-a-user-name'
    echo((header) => JSON.stringify([header, username]))
    expect((await output('phone', { username, password: '' })).output).toEqual(['Basic [redacted]', '[redacted]'])
  })

  it('are replaced in a URL, encoded and decoded', async () => {
    echo((url) => JSON.stringify({ url, key: decodeURIComponent(url.split('key=')[1] ?? '') }))
    expect((await output('maps', {})).output).toEqual({ url: '/x?key=[redacted]', key: '[redacted]' })
  })

  const token = 'a/b"c\\d+éf/0123456789'
  it.each<[string, (text: string) => string]>([
    ['like JSON', (text) => JSON.stringify({ text })],
    ['like PHP', (text) => JSON.stringify({ text }).replaceAll('/', '\\/')],
    ['like Python', (text) => JSON.stringify({ text }).replaceAll('é', '\\u00e9')],
    ['in every character', (text) => `{"text":"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`],
  ])('are replaced when they are escaped %s', async (_what, write) => {
    onward.third.respond((_received, response) => void response.end(write(token)))
    expect((await output('crm', { token })).output).toEqual({ text: '[redacted]' })
  })

  it('are replaced in JSON that is too deep to parse', async () => {
    echo((header) => '['.repeat(2_000) + JSON.stringify(header).replaceAll('/', '\\/') + ']'.repeat(2_000))
    expect((await output('crm', { token })).output).toBe(`${'['.repeat(2_000)}"Bearer [redacted]"${']'.repeat(2_000)}`)
  })

  const hard = `p&<q>'r+s="0123456789`
  it.each<[string, string, string]>([
    ['.NET', 'ab+c/d0123456789==', 'ab\\u002Bc/d0123456789=='],
    ['.NET with all special characters', hard, 'p\\u0026\\u003Cq\\u003E\\u0027r\\u002Bs=\\u00220123456789'],
    ['Go', hard, `p\\u0026\\u003cq\\u003e'r+s=\\"0123456789`],
    ['Gson', 'ab+c/d0123456789==', 'ab+c/d0123456789\\u003d\\u003d'],
    ['PHP with its hexadecimal options', 'a/b<c>&0123456789', 'a\\/b\\u003Cc\\u003E\\u00260123456789'],
    ['an encoder that escapes all special characters', hard, `p\\u0026\\u003cq\\u003e\\u0027r\\u002bs\\u003d\\"0123456789`],
  ])('are replaced in JSON that is too deep to parse and escaped like %s', async (_what, token, written) => {
    expect(JSON.parse(`"${written}"`)).toBe(token)
    onward.third.respond((_received, response) => void response.end(`${'['.repeat(2_000)}"${written}"${']'.repeat(2_000)}`))
    expect((await output('crm', { token })).output.slice(2_000, -2_000)).toBe('"[redacted]"')
  })

  const base64 = (text: string) => Buffer.from(text).toString('base64')
  it.each<[string, (secret: string) => string]>([
    ['in base64', base64],
    ['in hex', (secret) => Buffer.from(secret).toString('hex')],
    ['in upper case', (secret) => secret.toUpperCase()],
    ['like HTML', (secret) => secret.replace(/\W/g, (c) => `&#${c.charCodeAt(0)};`)],
  ])('are replaced %s, in text and in JSON', async (_what, write) => {
    onward.third.respond((_received, response) => void response.end(`<p>${write(hard)}</p>`))
    expect((await output('crm', { token: hard })).output).toBe('<p>[redacted]</p>')
    onward.third.respond((_received, response) => void response.end(JSON.stringify({ got: `(${write(hard)})` })))
    expect((await output('crm', { token: hard })).output).toEqual({ got: '([redacted])' })
  })

  it('are replaced when the header of basic authentication comes back in hex or base64', async () => {
    const credentials = { username: 'long-user-name', password: 'phone-pass-0123456789' }
    echo((header) =>
      [header, header.slice(6), credentials.password].flatMap((text) => [base64(text), Buffer.from(text).toString('hex')]).join(' '),
    )
    const { output: redacted } = await output('phone', credentials)
    expect(redacted).toMatch(/^(\S{0,12}\[redacted\] ?){6}$/)
  })

  it('are replaced in the last error of the account', async () => {
    const joe = onward.user('joe-with-an-error')
    const id = await joe.connect('crm', { token: hard })
    onward.third.respond((_received, response) => void response.writeHead(401).end(JSON.stringify({ message: `bad ${base64(hard)}` })))
    await joe.call('crm-passthrough-request', { url: '/x' }).expect(200)
    const { body } = await joe.post('/apps/crm/get').expect(200)
    expect(body.connected_accounts).toEqual([
      expect.objectContaining({ id, last_error: expect.stringMatching(/answered 401: bad \[redacted\]$/) }),
    ])
  })

  it('are replaced when they are a number, and JSON stays valid', async () => {
    onward.third.respond((_received, response) => void response.end('{"id":1234567890,"other":12345678901,"text":"1234567890"}'))
    expect((await output('crm', { token: '1234567890' })).output).toEqual({ id: '[redacted]', other: 12345678901, text: '[redacted]' })
  })

  it('are not replaced when shorter than 8 bytes, which could match ordinary text', async () => {
    echo((header) => JSON.stringify({ header, plain: 'short-1 story' }))
    expect((await output('crm', { token: 'short-1' })).output).toEqual({ header: 'Bearer short-1', plain: 'short-1 story' })
  })

  it('are not replaced when they belong to another account', async () => {
    onward.third.respond((_received, response) => void response.end(JSON.stringify([SECRETS.desk.api_key])))
    expect((await output('crm', {})).output).toEqual([SECRETS.desk.api_key])
  })
})

describe('credentials that the caller sends as arguments', () => {
  it('are sent but not logged', async () => {
    echo(() => '{}')
    const body = { a: SECRETS.crm.token, n: 1 }
    const { args } = await output('crm', {}, { url: '/x', method: 'POST', body })
    expect(args).toEqual({ url: '/x', method: 'POST', body: { a: '[redacted]', n: 1 } })
    expect(onward.third.received.at(-1)?.body).toContain(SECRETS.crm.token)
  })

  it('are redacted in the log when they are a number', async () => {
    echo(() => '{}')
    const { args } = await output('crm', { token: '1234567890' }, { url: '/x', method: 'POST', body: { a: 1234567890 } })
    expect(args).toEqual({ url: '/x', method: 'POST', body: { a: '[redacted]' } })
  })
})
