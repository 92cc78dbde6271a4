import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const account = { id: 7, display_name: 'Work', modified_at: '2026-01-01T00:00:00.000Z', status: 'active', last_error: null }
const connect = ['account', 'connect', 'shop', '--user', 'zoë@example.com', '--app', 'slack']
const path = '/admin/applications/shop/connected-accounts'

describe('account connect', () => {
  it.each([
    ['a JSON object', '{"token":" s3cret=ü ","site":"acme"}'],
    ['field=value lines', 'token= s3cret=ü \r\n\n site =acme\n'],
  ])('stores credentials that are sent as %s', async (_name, stdin) => {
    answers(stage.functions, account)
    const { code, out, err } = await stage.run([...connect, '--name', 'Work'], { stdin })
    const body = {
      user_id: 'zoë@example.com',
      app: 'slack',
      display_name: 'Work',
      credentials: { token: ' s3cret=ü ', site: 'acme' },
      test: true,
    }
    expect(stage.requests()).toEqual([['functions', 'POST', path, body]])
    expect(out).toBe('id            7\ndisplay_name  Work\nmodified_at   2026-01-01T00:00:00.000Z\nstatus        active\nlast_error    -\n')
    expect([code, err]).toEqual([0, ''])
  })

  it('stores credentials without a test with --no-test', async () => {
    answers(stage.functions, account)
    await stage.run([...connect, '--no-test'], { stdin: 'token=s3cret' })
    const body = { user_id: 'zoë@example.com', app: 'slack', credentials: { token: 's3cret' }, test: false }
    expect(stage.requests()).toEqual([['functions', 'POST', path, body]])
  })

  it('prints at a terminal what to enter', async () => {
    answers(stage.functions, account)
    const { out, err } = await stage.run([...connect, '--json'], { stdin: 'token=s3cret', isTTY: true })
    expect(err).toBe('Type the credentials of slack as field=value lines or a JSON object (they show as you type), then press Ctrl-D.\n')
    expect(JSON.parse(out)).toEqual(account)
  })

  it.each([
    ['nothing', '', 'no credentials on standard input: send a JSON object, or field=value lines'],
    ['an empty object', '{}', 'no credentials on standard input: send a JSON object, or field=value lines'],
    ['broken JSON', '{"token": s3cret}', 'the credentials on standard input are not valid JSON'],
    ['a value that is not a string', '{"token":{"a":"s3cret"}}', 'each credential must be a JSON string: token is not'],
    ['a line without a name', 'a=b\n=s3cret', 'line 2 of the credentials is not field=value'],
    ['a line without a value', 's3cret', 'line 1 of the credentials is not field=value'],
    ['a field twice', 'token=s3cret\ntoken=b', 'the credentials name token twice'],
    ['bytes that are not UTF-8', Buffer.from('token=s3cret\xe9', 'latin1'), 'standard input is not valid UTF-8'],
    ['far too much', `token=${'s3cret'.repeat(50_000)}`, 'the credentials on standard input are longer than 262144 bytes'],
  ])('refuses %s without printing it', async (_name, stdin, problem) => {
    expect(await stage.run(connect, { stdin })).toEqual({ code: 2, out: '', err: `error: ${problem}\n` })
    expect(stage.requests()).toEqual([])
  })

  it.each([['--token=s3cret'], ['token=s3cret'], ["--token=a'\ns3cret"], ['-ts3cret']])(
    'takes no credentials as an argument: %j',
    async (arg) => {
      const { code, out, err } = await stage.run([...connect, arg], { stdin: 'token=x' })
      expect([code, out, stage.requests()]).toEqual([2, '', []])
      expect(err).toMatch(/^error: (unknown option|too many arguments)/)
      expect(err).not.toContain('s3cret')
    },
  )

  it('prints one line for each wrong field', async () => {
    const details = ['credentials.token: is missing', 'credentials.toke: is no field of Slack']
    answers(stage.functions, { error: 'the credentials are not valid', error_details: details, code: 'invalid_parameters' }, 400)
    const { code, out, err } = await stage.run(connect, { stdin: 'toke=s3cret' })
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(`error: the credentials are not valid\n  ${details.join('\n  ')}\n`)
  })
})

describe('a User-ID that URL libraries remove from paths', () => {
  it.each([
    [['account', 'connect', 'shop', '--user', '.', '--app', 'slack']],
    [['account', 'list', 'shop', '--user', '..']],
    [['calls', '--user', '.']],
  ])('is refused by %j without a request', async (args) => {
    const { code, err } = await stage.run(args, { stdin: 'token=s3cret' })
    expect(code).toBe(2)
    expect(err).toContain('A User-ID must not be "." or "..".')
    expect(stage.requests()).toEqual([])
  })
})

describe('account list', () => {
  const connected_accounts = [{ ...account, user_id: 'joe', app: 'slack' }]

  it('lists all accounts, or those of a user and an app', async () => {
    answers(stage.functions, { connected_accounts })
    const { out } = await stage.run(['account', 'list', 'shop'])
    expect(out.split('\n')).toEqual([
      'ID  USER_ID  APP    DISPLAY_NAME  STATUS  LAST_ERROR  MODIFIED_AT',
      '7   joe      slack  Work          active  -           2026-01-01T00:00:00.000Z',
      '',
    ])
    const json = await stage.run(['account', 'list', 'shop', '--user', 'joe@example.com', '--app', 'slack', '--json'])
    expect(JSON.parse(json.out)).toEqual({ connected_accounts })
    expect(stage.requests()).toEqual([
      ['functions', 'GET', path],
      ['functions', 'GET', `${path}?user_id=joe%40example.com&app=slack`],
    ])
  })
})

describe('account disconnect', () => {
  it('deletes the account', async () => {
    answers(stage.functions, { success: true })
    expect(await stage.run(['account', 'disconnect', 'shop', '7'])).toEqual({ code: 0, out: 'success  yes\n', err: '' })
    expect(stage.requests()).toEqual([['functions', 'DELETE', `${path}/7`]])
  })
})
