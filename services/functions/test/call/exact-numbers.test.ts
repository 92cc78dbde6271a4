import { callTool, connectClient, createToken } from '../support/mcp-support.ts'
import { type User, useFunctions } from '../support/support.ts'

const BIG = '1909699624467843944'
const NUMBERS = [BIG, '-1909699624467843945', '1.0', '1.50', '0.1234567890123456789', '1E+2', '-0', '9'.repeat(400), '1e400', '7', '2.5']

const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/number-apps' } })
let user: User
let text = '{}'

beforeAll(async () => {
  user = onward.user('ada')
  await connect(user)
  onward.third.respond((_received, response) => void response.setHeader('content-type', 'application/json').end(text))
})
beforeEach(() => {
  text = '{}'
})

async function connect({ userId }: User): Promise<void> {
  const credentials = { url: onward.third.url, token: 'ledger-token-0123456789' }
  const path = `/admin/applications/${onward.application.appKey}/connected-accounts`
  await onward.admin('post', path, { user_id: userId, app: 'ledger', credentials }).expect(200)
}

function last() {
  const received = onward.third.received.at(-1)
  if (received === undefined) throw new Error('nothing was received')
  return received
}

/** Calls a function with a JSON text, and returns the text of the response. */
async function call(name: string, body: string, { status = 200, query = '', headers = {} } = {}): Promise<string> {
  const sent = user.call(name, undefined, query).set({ 'content-type': 'application/json', ...headers })
  return (await sent.send(body).expect(status)).text
}

describe('a number in the arguments', () => {
  it.each(NUMBERS)('leaves in a JSON body as it came: %s', async (number) => {
    await call('ledger-add-entry', `{"amount":${number},"lines":[{"sum":${number}}],"extra":{"a":[${number}]}}`)
    expect(last().body).toBe(`{"amount":${number},"lines":[{"sum":${number}}],"extra":{"a":[${number}]}}`)
  })

  it.each(NUMBERS)('leaves from a variable as it came: %s', async (number) => {
    await call(
      'ledger-add-entry',
      `{"amount":"{n}","extra":"{all}","title":"no {n}","_variables":{"n":${number},"all":{"deep":[${number}]}}}`,
    )
    expect(last().body).toBe(`{"amount":${number},"extra":{"deep":[${number}]},"title":"no ${number}"}`)
  })

  it('leaves in the path, the query and headers as it came, beside defaults', async () => {
    await call('ledger-get-entry', `{"id":${BIG},"amounts":[1.50,2],"filter":{"at":${BIG}}}`)
    expect(last().url).toBe(`/entries/${BIG}?amounts=1.50%2C2&filter%5Bat%5D=${BIG}&tenant=7`)
    expect(last().headers).toMatchObject({ 'x-entry': `no ${BIG}`, 'x-filter': `{"id":${BIG}}` })
  })

  it('leaves in a form as it came', async () => {
    await call('ledger-add-form', `{"id":${BIG},"amount":1.50,"extra":{"a":1E+2}}`)
    expect(decodeURIComponent(String(last().body))).toBe(`id=${BIG}&amount=1.50&extra[a]=1E+2`)
  })

  it('leaves as it came when the caller sends a form', async () => {
    await user.call('ledger-add-entry', `id=${BIG}&amount=1.50&lines[0][sum]=00012345678901234567890`).expect(200)
    expect(last().body).toBe(`{"id":${BIG},"amount":1.50,"lines":[{"sum":12345678901234567890}]}`)
  })

  it('leaves as it came when a form has one item of a list', async () => {
    await user.call('ledger-get-entry', `id=1&amounts=${BIG}`).expect(200)
    expect(last().url).toBe(`/entries/1?amounts=${BIG}&tenant=7`)
  })

  it.each(NUMBERS)('leaves as a number when it comes as text: %s', async (number) => {
    await call('ledger-add-entry', JSON.stringify({ amount: number, lines: [{ sum: number }], title: number }))
    expect(last().body).toBe(`{"amount":${number},"lines":[{"sum":${number}}],"title":"${number}"}`)
    await call('ledger-add-entry', JSON.stringify({ amount: '{n}', _variables: { n: number } }))
    expect(last().body).toBe(`{"amount":${number}}`)
  })

  it('leaves in a pass-through request as it came', async () => {
    await call('ledger-passthrough-request', `{"method":"POST","url":"/x","query":{"q":${BIG}},"body":{"id":${BIG}}}`)
    expect([last().url, last().body]).toEqual([`/x?q=${BIG}`, `{"id":${BIG}}`])
  })

  it('leaves from JSON text in a text as it came', async () => {
    await call('ledger-add-entry', JSON.stringify({ extra: `{"id":${BIG}}` }))
    expect(last().body).toBe(`{"extra":{"id":${BIG}}}`)
  })

  it('must fit the type and the bounds of its parameter', async () => {
    for (const [body, problem] of [
      [`{"id":-${BIG}}`, 'id: must be a whole number, 0 or more'],
      ['{"id":1.50}', 'id: must be a whole number, 0 or more'],
      [`{"title":${BIG}}`, 'title: must be text'],
      [`{"extra":${BIG}}`, 'extra: must be an object'],
      [`{"lines":[{"sum":"x"}],"id":${BIG}}`, 'lines[0].sum: must be a number'],
    ] as const) {
      expect(JSON.parse(await call('ledger-add-entry', body, { status: 400 })).error_details).toEqual([problem])
    }
    await call('ledger-add-entry', '{"id":12.0}')
    expect(last().body).toBe('{"id":12.0}')
  })
})

describe('a number in a response', () => {
  it.each(NUMBERS)('is returned as it came: %s', async (number) => {
    text = `{ "id": ${number}, "text": "\\u00e9", "list": [${number}] }`
    expect(await call('ledger-add-form', '{}')).toContain(text)
    text = `{"entry":{"id":${number},"list":[${number}]}}`
    expect(await call('ledger-add-entry', '{}')).toBe(`{"network_code":200,"output":{"id":${number},"list":[${number}]}}`)
  })

  it('is in the calls log as it came, as those of the arguments are', async () => {
    text = `{"entry":${BIG},"rest":1.50}`
    const response = await user.call('ledger-add-entry').set('content-type', 'application/json').send(`{"id":${BIG},"amount":1.50}`)
    const logged = await user.post(`/calls/${response.headers['x-call-id']}/get`).expect(200)
    expect(logged.text).toContain(`"arguments":{"id":${BIG},"amount":1.50}`)
    expect(logged.text).toContain(`"output":{"entry":${BIG},"rest":1.50}`)
    const admin = await onward.admin('get', `/admin/calls/${response.headers['x-call-id']}`).expect(200)
    expect(admin.text).toContain(`"output":{"entry":${BIG},"rest":1.50}`)
  })

  it('is replayed as it came for the same Idempotency-Key, and other digits are another request', async () => {
    text = `{"entry":{"id":${BIG},"rest":1.50}}`
    const headers = { 'Idempotency-Key': 'numbers-1' }
    const first = await call('ledger-add-entry', `{"id":${BIG}}`, { headers })
    expect(await call('ledger-add-entry', `{"id":${BIG}}`, { headers })).toBe(first)
    expect(JSON.parse(await call('ledger-add-entry', '{"id":1909699624467843945}', { headers, status: 409 })).code).toBe(
      'idempotency_conflict',
    )
  })

  it('is shown to a model as it came, also in a shortened output', async () => {
    const { token } = await createToken(user, { output_chars: 1_000 })
    const client = await connectClient(onward.url, token, '2026-07-28')
    text = `{"entry":{"id":${BIG},"rest":1.50}}`
    expect((await callTool(client, 'ledger-add-entry')).result.content).toMatchObject([
      { text: expect.stringContaining(`"id":${BIG},"rest":1.50`) },
    ])
    text = `{"entry":[${Array.from({ length: 200 }, () => BIG).join(', ')}]}`
    const { value, result } = await callTool(client, 'ledger-add-entry')
    expect(value.truncated).toMatchObject({ of: 200 })
    expect(result.content).toMatchObject([{ text: expect.stringContaining(`{"output":[${BIG},${BIG},`) }])
  })

  it.each([
    ['1.0', 200, '"id":1'],
    ['1E2', 200, '"id":100'],
    [BIG, 400, '"id":null'],
  ])('may be the id %s of a message of an MCP client, with status %i', async (id, status, answered) => {
    const { token } = await createToken(user)
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    }
    const body = `{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`
    const response = await fetch(`${onward.url}/mcp`, { method: 'POST', headers, body })
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(answered)
  })

  it('is redacted when it is a secret of the account', async () => {
    const other = onward.user('grace')
    const credentials = { url: onward.third.url, token: BIG }
    await onward
      .admin('post', `/admin/applications/${onward.application.appKey}/connected-accounts`, {
        user_id: 'grace',
        app: 'ledger',
        credentials,
      })
      .expect(200)
    text = `{"key":${BIG},"text":"\\u0031909699624467843944","rest":1.50}`
    const { text: answered } = await other.call('ledger-add-form', {}).expect(200)
    expect(answered).toContain('"output":{"key":"[redacted]","text":"[redacted]","rest":1.50}')
  })
})

describe('a number in a prompt', () => {
  it.each([{}, { _variables: { other: 1 } }])('becomes an argument with its digits, beside %j', async (more) => {
    const prompt = `get the entry ${BIG}`
    const { text: predicted } = await user.post('/functions/predict', { prompt, predict_arguments: true, ...more }).expect(200)
    expect(predicted).toContain(`"arguments":{"id":${BIG}}`)
  })
})

describe('a number in a cursor', () => {
  it('leads to the next page', async () => {
    text = `{"notes":[{"note_id":${BIG}}],"next_cursor":${BIG},"has_more":true}`
    const first = JSON.parse(await call('ledger-list-notes', '{}'))
    expect(first._cursor).toBe(BIG)
    await call('ledger-list-notes', `{"_cursor":"${BIG}"}`)
    expect(last().url).toBe(`/notes?since_id=${BIG}`)
  })

  it('leads to the next page in an object', async () => {
    text = `{"items":[1],"next":{"id":${BIG},"rank":1.50}}`
    expect(await call('ledger-list-pairs', '{}')).toContain(`"_cursor":{"before":${BIG},"rank":1.50}`)
    await call('ledger-list-pairs', `{"_cursor":{"before":${BIG},"rank":1.50}}`)
    expect(last().url).toBe(`/pairs?before=${BIG}&rank=1.50`)
    await call('ledger-list-pairs', '{}', { query: `?_cursor=${encodeURIComponent(`{"before":${BIG},"rank":1.50}`)}` })
    expect(last().url).toBe(`/pairs?before=${BIG}&rank=1.50`)
  })
})
