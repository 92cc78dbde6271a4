import { type User, useFunctions } from '../support/support.ts'

const onward = useFunctions()
let joe: User

beforeAll(async () => {
  joe = onward.user('joe')
  for (const app of ['desk', 'crm', 'notes'] as const) await joe.connect(app)
})

type Refused = [what: string, name: string, body: string | object | undefined, query: string, code: string, details: unknown]

const parameters = (...details: string[]) => ['invalid_parameters', details] as const

const CASES: Refused[] = [
  ['no account', 'phone-send-text', { to: '+1', body: 'hi' }, '', 'account_not_connected', ['phone: the user has no connected account']],
  ['a missing parameter', 'desk-create-ticket', {}, '', ...parameters('subject: is required')],
  ['no body where one is needed', 'desk-create-ticket', undefined, '', ...parameters('subject: is required')],
  [
    'an empty text',
    'desk-create-ticket',
    { subject: '' },
    '',
    ...parameters('subject: must not be empty', 'subject: must match pattern "^[^#]"'),
  ],
  [
    'a text that is too long',
    'desk-create-ticket',
    { subject: 'a'.repeat(81) },
    '',
    ...parameters('subject: must have at most 80 characters'),
  ],
  ['a text of the wrong form', 'desk-create-ticket', { subject: '#' }, '', ...parameters('subject: must match pattern "^[^#]"')],
  ['text that is not an email address', 'crm-create-contact', { email: 'ada' }, '', ...parameters('email: must be a valid email')],
  [
    'a text that is no number',
    'desk-create-ticket',
    { subject: 'a', priority: 'two' },
    '',
    ...parameters('priority: must be a whole number, 1 to 5'),
  ],
  [
    'a number too large',
    'desk-create-ticket',
    { subject: 'a', priority: 6 },
    '',
    ...parameters('priority: must be a whole number, 1 to 5'),
  ],
  [
    'a number beyond what JavaScript holds',
    'desk-create-ticket',
    '{"subject":"a","priority":1e400}',
    '',
    ...parameters('priority: must be a whole number, 1 to 5'),
  ],
  ['a number as text parameter', 'desk-create-ticket', { subject: 5 }, '', ...parameters('subject: must be text')],
  ['null', 'desk-create-ticket', { subject: null }, '', ...parameters('subject: must be text')],
  [
    'a word that is not one of the choices',
    'desk-create-ticket',
    { subject: 'a', state: 'Open' },
    '',
    ...parameters('state: must be one of "open", "closed"'),
  ],
  ['yes for true', 'desk-create-ticket', { subject: 'a', public: 'yes' }, '', ...parameters('public: must be true or false')],
  ['text instead of an array', 'desk-create-ticket', { subject: 'a', tags: 'bug' }, '', ...parameters('tags: must be an array')],
  ['a wrong item', 'desk-create-ticket', { subject: 'a', tags: ['bug', 'x'] }, '', ...parameters('tags[1]: must be one of "bug", "wish"')],
  [
    'a wrong field',
    'desk-create-ticket',
    { subject: 'a', customer: { age: 1.5 } },
    '',
    ...parameters('customer.age: must be a whole number'),
  ],
  [
    'several problems',
    'desk-create-ticket',
    { priority: 0, state: 5, tags: 1 },
    '',
    'invalid_parameters',
    expect.arrayContaining(['subject: is required', 'priority: must be a whole number, 1 to 5', 'tags: must be an array']),
  ],
  [
    'a misspelt name',
    'desk-create-ticket',
    { subjct: 'a' },
    '',
    'invalid_parameters',
    expect.arrayContaining(['subjct: is not known here; did you mean subject?']),
  ],
  ['swapped letters', 'desk-create-ticket', { subject: 'a', tgas: [] }, '', ...parameters('tgas: is not known here; did you mean tags?')],
  ['an unknown name', 'desk-create-ticket', { subject: 'a', whatever: 1 }, '', ...parameters('whatever: is not known here')],
  [
    'names of Object.prototype',
    'desk-create-ticket',
    { subject: 'a', constructor: 1, toString: 2 },
    '',
    'invalid_parameters',
    expect.any(Array),
  ],
  ['another function’s parameter', 'notes-read-notes', { note: {} }, '', ...parameters('note: is not known here')],
  ['_variables of another type', 'notes-read-notes', { _variables: [] }, '', ...parameters('_variables: must be an object or null')],
  ['an unknown tag', 'desk-create-ticket', { subject: '{who}', _variables: {} }, '', ...parameters('_variables: has no value for {who}')],
  [
    'very many unknown tags',
    'desk-create-ticket',
    { subject: 'a', text: Array.from({ length: 100_000 }, (_, i) => `{t${i}}`).join(''), _variables: {} },
    '',
    ...parameters(...Array.from({ length: 50 }, (_, i) => `_variables: has no value for {t${i}}`), 'body: has more problems'),
  ],
  ['a path parameter of two dots', 'desk-get-ticket', { ticket_id: '..' }, '', ...parameters('ticket_id: must not be empty, "." or ".."')],
  ['an empty path part', 'desk-get-ticket', { ticket_id: '' }, '', ...parameters('ticket_id: must not be empty, "." or ".."')],
  [
    'a header with a line break',
    'desk-get-ticket',
    { ticket_id: '1', trace: 'a\r\nb: c' },
    '',
    ...parameters('trace: has characters that a header cannot carry'),
  ],
  ['a lone surrogate', 'desk-get-ticket', { ticket_id: '\ud800' }, '', ...parameters('ticket_id: is not well-formed text')],
  ['a cursor where there are no pages', 'notes-read-notes', { _cursor: 'x' }, '', ...parameters('_cursor: the function has no pages')],
  ['a wrong cursor in the query', 'notes-read-notes', {}, '?_cursor=x', ...parameters('_cursor: the function has no pages')],
  ['an unknown account', 'notes-read-notes', {}, '?connected_account_id=99999', 'account_not_found', expect.any(Array)],
  [
    'a form with a wrong number',
    'crm-create-contact',
    'email=a@b.example&age=old',
    '',
    ...parameters('age: must be a whole number, 0 or more'),
  ],
  ...['Infinity', '0x10', '%20'].map(
    (age): Refused => [
      `a form with the number ${age}`,
      'crm-create-contact',
      `email=a@b.example&age=${age}`,
      '',
      ...parameters('age: must be a whole number, 0 or more'),
    ],
  ),
  [
    'a form with an unknown name',
    'crm-create-contact',
    'email=a@b.example&agee=5',
    '',
    ...parameters('agee: is not known here; did you mean age?'),
  ],
  ['a list as body', 'notes-read-notes', [], '', ...parameters('body: must be an object')],
  ['a text as body', 'notes-read-notes', '"x"', '', ...parameters('body: must be an object')],
]

describe('a refused call', () => {
  it.each(CASES)('is answered 400 for %s', async (_what, name, body, query, code, details) => {
    const response = await joe.post(`/functions/${name}/call${query}`, body).set('content-type', typeOf(body)).expect(400)
    const { login_url, ...error } = response.body
    expect(error).toEqual({ error: expect.stringMatching(/./), error_details: details, code, request_id: expect.any(String) })
    expect(typeof login_url).toBe(code === 'account_not_connected' ? 'string' : 'undefined')
    expect(response.headers).not.toHaveProperty('x-call-id')
  })

  it.each([
    ['inside one string', (tag: string) => tag.repeat(200)],
    ['as 200 separate values', (tag: string) => Array.from({ length: 200 }, () => tag)],
  ])('is answered 413 when variables make the arguments too large %s', async (_where, many) => {
    const body = { note: { text: many('{x}') }, _variables: { x: 'a'.repeat(10_000) } }
    const { body: response } = await joe.call('notes-add-note', body).expect(413)
    expect(response).toEqual({
      error: 'the arguments are too large with the variables filled in',
      error_details: [],
      code: 'body_too_large',
      request_id: expect.any(String),
    })
  })

  it('is never sent, never logged and never counted', async () => {
    expect(onward.third.received).toEqual([])
    expect(await onward.rows()).toEqual({ call_log: 0, call_attempt: 0, outbox: 0 })
    expect((await joe.post('/calls/list').expect(200)).body.calls).toEqual([])
    const { text } = await onward.admin('get', '/metrics').expect(200)
    expect(text).not.toMatch(/onward_functions_calls_total\{/)
  })

  it('is answered 404 for an unknown function, and leaves no rows either', async () => {
    for (const name of ['nothing', '__proto__', 'constructor', '%2e%2e', 'desk-create-ticket%00', 'a'.repeat(10_000)]) {
      const { body } = await joe.call(name, {}).expect(404)
      expect(body).toMatchObject({ error_details: [], code: 'function_not_found' })
      expect(body.error.split(';')[0]).toBe(`there is no function ${JSON.stringify(decodeURIComponent(name).slice(0, 100))}`)
    }
    expect(await onward.rows()).toEqual({ call_log: 0, call_attempt: 0, outbox: 0 })
  })
})

function typeOf(body: unknown): string {
  return typeof body === 'string' && !/^["{]/.test(body) ? 'application/x-www-form-urlencoded' : 'application/json'
}
