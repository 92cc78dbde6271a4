import { type Functions, openFunctions, SECRETS } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openFunctions()
})

/** Answers with a text made of what was received. */
function echo(make: (authorization: string) => string): void {
  onward.third.answer(
    ({ headers, url }, response) => void response.end(make(headers.authorization ?? String(headers['x-desk-key'] ?? url))),
  )
}

/** The output that the caller gets; what the log keeps is the same. */
async function output(app: 'desk' | 'maps' | 'crm' | 'phone', credentials: Record<string, string>, args: object = { url: '/x' }) {
  const user = onward.user(`user-${Math.random()}`)
  await user.connect(app, credentials)
  const { body, headers } = await user.call(`${app}-passthrough-request`, args).expect(200)
  const logged = await user.post(`/calls/${headers['x-call-id']}/get`).expect(200)
  expect(logged.body.output).toEqual(body.output)
  return { output: body.output, args: logged.body.arguments }
}

describe('credentials that a third party echoes', () => {
  it('in JSON are replaced', async () => {
    echo((header) => JSON.stringify({ got: header, [header]: [header] }))
    const hidden = 'Token [redacted]'
    expect((await output('desk', {})).output).toEqual({ got: hidden, [hidden]: [hidden] })
  })

  it('in text are replaced, wherever and however often', async () => {
    echo((header) => `<p>${header}</p>${header}`)
    expect((await output('crm', {})).output).toBe('<p>Bearer [redacted]</p>Bearer [redacted]')
  })

  it('in an error answer are replaced', async () => {
    onward.third.answer(({ headers }, response) => void response.writeHead(401).end(JSON.stringify({ bad: headers.authorization })))
    expect((await output('crm', {})).output).toEqual({ bad: 'Bearer [redacted]' })
  })

  it('of basic authentication are the password and both together, for a user name is no secret beside a password', async () => {
    const { username, password } = { username: 'long-user-name', password: 'long-user-name-and-more' }
    echo((header) => JSON.stringify([header, username, password, `${username}:${password}`]))
    expect((await output('phone', { username, password })).output).toEqual([
      'Basic [redacted]',
      'long-user-name',
      '[redacted]',
      'long-user-name:[redacted]',
    ])
  })

  it('of basic authentication are the user name where there is no password', async () => {
    const username = 'key-as-a-user-name'
    echo((header) => JSON.stringify([header, username]))
    expect((await output('phone', { username, password: '' })).output).toEqual(['Basic [redacted]', '[redacted]'])
  })

  it('in the query are replaced, encoded and decoded', async () => {
    echo((url) => JSON.stringify({ url, key: decodeURIComponent(url.split('key=')[1] ?? '') }))
    expect((await output('maps', {})).output).toEqual({ url: '/x?key=[redacted]', key: '[redacted]' })
  })

  const token = 'a/b"c\\d+éf/0123456789'
  it.each<[string, (text: string) => string]>([
    ['as JSON does', (text) => JSON.stringify({ text })],
    ['as PHP does', (text) => JSON.stringify({ text }).replaceAll('/', '\\/')],
    ['as Python does', (text) => JSON.stringify({ text }).replaceAll('é', '\\u00e9')],
    ['to excess', (text) => `{"text":"${[...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`],
  ])('are replaced when they are escaped %s', async (_what, write) => {
    onward.third.answer((_received, response) => void response.end(write(token)))
    expect((await output('crm', { token })).output).toEqual({ text: '[redacted]' })
  })

  it('are replaced in JSON that is too deep to be read', async () => {
    echo((header) => '['.repeat(2_000) + JSON.stringify(header).replaceAll('/', '\\/') + ']'.repeat(2_000))
    expect((await output('crm', { token })).output).toBe(`${'['.repeat(2_000)}"Bearer [redacted]"${']'.repeat(2_000)}`)
  })

  const hard = `p&<q>'r+s="0123456789`
  it.each<[string, string, string]>([
    ['.NET does', 'ab+c/d0123456789==', 'ab\\u002Bc/d0123456789=='],
    ['.NET does with all of its signs', hard, 'p\\u0026\\u003Cq\\u003E\\u0027r\\u002Bs=\\u00220123456789'],
    ['Go does', hard, `p\\u0026\\u003cq\\u003e'r+s=\\"0123456789`],
    ['Gson does', 'ab+c/d0123456789==', 'ab+c/d0123456789\\u003d\\u003d'],
    ['PHP does when told to', 'a/b<c>&0123456789', 'a\\/b\\u003Cc\\u003E\\u00260123456789'],
    ['one that escapes all of them does', hard, `p\\u0026\\u003cq\\u003e\\u0027r\\u002bs\\u003d\\"0123456789`],
  ])('are replaced in JSON that is too deep to be read where signs are escaped as %s', async (_what, token, written) => {
    expect(JSON.parse(`"${written}"`)).toBe(token)
    onward.third.answer((_received, response) => void response.end(`${'['.repeat(2_000)}"${written}"${']'.repeat(2_000)}`))
    expect((await output('crm', { token })).output.slice(2_000, -2_000)).toBe('"[redacted]"')
  })

  it('that are a number are replaced, and JSON stays JSON', async () => {
    onward.third.answer((_received, response) => void response.end('{"id":1234567890,"other":12345678901,"text":"1234567890"}'))
    expect((await output('crm', { token: '1234567890' })).output).toEqual({ id: '[redacted]', other: 12345678901, text: '[redacted]' })
  })

  it('of fewer than 8 bytes are left alone, for they would hit innocent text', async () => {
    echo((header) => JSON.stringify({ header, plain: 'short-1 story' }))
    expect((await output('crm', { token: 'short-1' })).output).toEqual({ header: 'Bearer short-1', plain: 'short-1 story' })
  })

  it("are not another account's", async () => {
    onward.third.answer((_received, response) => void response.end(JSON.stringify([SECRETS.desk.api_key])))
    expect((await output('crm', {})).output).toEqual([SECRETS.desk.api_key])
  })
})

describe('credentials that the caller sends as arguments', () => {
  it('are sent, but not kept', async () => {
    echo(() => '{}')
    const body = { a: SECRETS.crm.token, n: 1 }
    const { args } = await output('crm', {}, { url: '/x', method: 'POST', body })
    expect(args).toEqual({ url: '/x', method: 'POST', body: { a: '[redacted]', n: 1 } })
    expect(onward.third.received.at(-1)?.body).toContain(SECRETS.crm.token)
  })

  it('as a number do not lose the call', async () => {
    echo(() => '{}')
    const { args } = await output('crm', { token: '1234567890' }, { url: '/x', method: 'POST', body: { a: 1234567890 } })
    expect(args).toEqual({ url: '/x', method: 'POST', body: { a: '[redacted]' } })
  })
})
