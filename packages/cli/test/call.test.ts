import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fixedPort, sendJson } from '@onward/testbed'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const USER = ['--user', 'joe']
const account = { id: 7, display_name: 'Ada', status: 'active', last_error: null, modified_at: '2026-01-01T00:00:00.000Z' }
const app = { id: 1, name: 'crm', title: 'CRM', docs_url: 'https://crm.example/docs', login_url: 'https://onward.example/connect/abc' }

describe('call', () => {
  it('reads arguments from a file or standard input, and prefers fields', async () => {
    answers(stage.functions, { network_code: 200, output: null })
    await stage.run(['call', 'f', '--input', '-', '-f', 'a=2', ...USER], { env: stage.env, stdin: '{"a": 1, "b": [true]}' })
    expect(stage.requests()).toEqual([['functions', 'POST', '/functions/f/call', { a: '2', b: [true] }]])
  })

  it('sends a file for name=@path, and text that begins with @ only as JSON', async () => {
    answers(stage.functions, { network_code: 200, output: null })
    const cwd = await mkdtemp(join(tmpdir(), 'onward-files-'))
    await writeFile(join(cwd, 'photo.png'), 'bytes')
    await stage.run(['call', 'f', '-f', 'photo=@photo.png', '-f', 'text:="@ada"', ...USER], { cwd })
    await rm(cwd, { recursive: true })
    const photo = { base64: Buffer.from('bytes').toString('base64'), name: 'photo.png', content_type: 'image/png' }
    expect(stage.requests()).toEqual([['functions', 'POST', '/functions/f/call', { photo, text: '@ada' }]])

    const err = 'error: ada cannot be read (ENOENT); for a text that begins with @, write text:=\'"@…"\'\n'
    expect(await stage.run(['call', 'f', '-f', 'text=@ada', ...USER])).toEqual({ code: 2, out: '', err })
  })

  it('says how to connect an account if the user has none of the app', async () => {
    answers(stage.functions, { ...app, connected_accounts: [] })
    const err = 'the user has no account of CRM; "onward apps connect crm" prints a link to connect one\n'
    expect(await stage.run(['apps', 'get', 'crm', ...USER])).toEqual({ code: 0, out: '', err })
  })

  it('sends and prints numbers with all their digits', async () => {
    stage.functions.respond((_received, response) => void response.end('{"network_code":200,"output":{"id":1909699624467843944,"n":1.5}}'))
    const { out } = await stage.run(['call', 'f', '-f', 'id:=1909699624467843945', '-f', 'ids:=[-1909699624467843945]', ...USER])
    expect(stage.functions.received.at(-1)?.body).toBe('{"id":1909699624467843945,"ids":[-1909699624467843945]}')
    expect(out).toBe('{\n  "id": 1909699624467843944,\n  "n": 1.5\n}\n')
  })

  it.each([
    [{ network_code: 404, output: { message: 'none' } }, 'f: the app responded with 404'],
    [{ network_code: 200, output: { message: 'none' }, meta: { app_error: true } }, 'f: the app reported an error'],
  ])('prints the output and ends with code 5 if the app refuses: %j', async (response, problem) => {
    answers(stage.functions, response)
    const { code, out, err } = await stage.run(['call', 'f', ...USER])
    expect([code, JSON.parse(out), err]).toEqual([5, { message: 'none' }, `${response.network_code}, call null\nerror: ${problem}\n`])
  })

  it.each([
    ['area A', ['call', 'f', ...USER]],
    ['the admin API', ['calls']],
  ])('shows the link if an account is missing, the nearest names, and the id of the request: %s', async (_api, args) => {
    const refusal = { error: 'connect an account first', error_details: ['crm: none'], code: 'account_not_connected', request_id: 'req-1' }
    answers(stage.functions, { ...refusal, login_url: 'https://onward.example/c', suggestions: ['crm-add', 'crm-get'] }, 400)
    const lines = [
      'error: connect an account first',
      '  crm: none',
      '  did you mean crm-add or crm-get?',
      '  connect the account here: https://onward.example/c',
      '  request req-1',
    ]
    expect(await stage.run(args)).toEqual({ code: 1, out: '', err: `${lines.join('\n')}\n` })
  })

  it('shows where a call can be approved', async () => {
    const refusal = { error: 'a rule asks first', error_details: [], code: 'approval_required', request_id: 'req-1' }
    answers(stage.functions, { ...refusal, approval_id: 'a-1', approval_url: 'https://onward.example/a' }, 403)
    const lines = ['error: a rule asks first', '  approve the call here, and repeat it: https://onward.example/a', '  request req-1']
    expect(await stage.run(['call', 'f', ...USER])).toEqual({ code: 1, out: '', err: `${lines.join('\n')}\n` })
  })

  it('says so if an error is not in the format of Onward', async () => {
    answers(stage.functions, { error: { message: 'no route' } }, 404)
    expect(await stage.run(['call', 'f', ...USER])).toEqual({
      code: 1,
      out: '',
      err: 'error: the server answered 404, but not in the format of Onward\n',
    })
  })

  it.each([
    [
      'invalid_parameters',
      400,
      'photo: must be an object, such as {"url": …}',
      '-f gives text; write -f name=@path for a file, such as -f photo=@photo.png',
    ],
    ['invalid_parameters', 400, 'a: must be a whole number', '-f gives text; write -f name:=JSON for another type, such as -f age:=36'],
    ['user_not_found', 404, undefined, 'a user appears with the first counted task or with an own limit; onward usage lists all'],
    ['subscription_not_found', 404, undefined, 'onward subscriptions list shows the ids'],
  ])('says what to do after %s', async (code, status, detail, advice) => {
    answers(stage.functions, { error: 'refused', error_details: detail ? [detail] : [], code, request_id: 'req-1' }, status)
    const lines = ['error: refused', ...(detail ? [`  ${detail}`] : []), `  ${advice}`, '  request req-1']
    expect((await stage.run(['call', 'f', ...USER])).err).toBe(`${lines.join('\n')}\n`)
  })

  it('does not repeat the nearest names of the error', async () => {
    const refusal = {
      error: 'there is no function "g"; did you mean f?',
      error_details: [],
      code: 'function_not_found',
      request_id: 'req-1',
    }
    answers(stage.functions, { ...refusal, suggestions: ['f'] }, 404)
    expect((await stage.run(['call', 'g', ...USER])).err).toBe(`error: ${refusal.error}\n  request req-1\n`)
  })

  it('asks about the address if the service cannot be reached', async () => {
    const env = { ...stage.env, ONWARD_BASE_URL: `http://127.0.0.1:${await fixedPort()}` }
    const { code, err } = await stage.run(['functions', 'list', ...USER], { env })
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^error: Onward could not be reached at http:.*: .*\n {2}is the service running, .*\n$/),
    ])
  })
})

describe('functions batch-call', () => {
  const calls = [{ function_name: 'f', arguments: { id: 1 }, _fields: ['a'] }, { function_name: 'g' }]
  const batch = (args: readonly string[] = [], stdin = JSON.stringify(calls)) =>
    stage.run(['functions', 'batch-call', '--input', '-', ...args, ...USER], { env: stage.env, stdin })

  it('sends the calls of a file, and prints all results with their digits', async () => {
    const text = '{"results":[{"status":200,"result":{"network_code":200,"output":1909699624467843944}}]}'
    stage.functions.respond((_received, response) => void response.end(text))
    const { code, out, err } = await batch(['--in-order', '--idempotency-key', 'order-1'])
    expect([code, err, out.replace(/\s/g, '')]).toEqual([0, '', text])
    expect(stage.requests()).toEqual([['functions', 'POST', '/functions/batch-call', { calls, mode: 'in_order' }]])
    expect(stage.functions.received[0]?.headers['idempotency-key']).toBe('order-1')
  })

  it('ends with code 5 if a call fails, also only in the body of the app', async () => {
    const result = (network_code: number, meta?: object) => ({ status: 200, result: { network_code, output: null, meta } })
    answers(stage.functions, {
      results: [{ status: 400, error: { code: 'invalid_parameters' } }, result(200), result(404), result(200, { app_error: true })],
    })
    const { code, err } = await batch()
    expect([code, err]).toEqual([5, 'error: 3 of 4 calls failed\n'])
  })

  it('needs an array', async () => {
    const { code, err } = await batch([], '{}')
    expect([code, err, stage.requests()]).toEqual([2, 'error: - must contain a JSON array\n', []])
  })
})

describe('api', () => {
  it('prints the body of an error, and ends with code 1', async () => {
    const refusal = { error: 'there is no such path', error_details: [], code: 'not_found' }
    answers(stage.functions, refusal, 404)
    const { code, out, err } = await stage.run(['api', 'GET', '/none', ...USER])
    expect([code, JSON.parse(out), err]).toEqual([1, refusal, 'error: there is no such path\n'])
  })
})

describe('apps connect --wait', () => {
  it('prints the link, and then the account that the user connects', async () => {
    let requests = 0
    stage.functions.respond((_received, response) => {
      requests++
      sendJson(response, 200, { ...app, connected_accounts: requests < 3 ? [account] : [account, { ...account, id: 8 }] })
    })
    const { code, out, err } = await stage.run(['apps', 'connect', 'crm', '--wait', '--json', ...USER])
    expect([code, JSON.parse(out)]).toEqual([0, { app: 'crm', ...account, id: 8 }])
    expect(err).toBe('Open this link in a browser: https://onward.example/connect/abc\n')
  })
})

describe('wrong usage', () => {
  it.each([
    [['call', 'f', '-f', 'a', ...USER], 'a is not name=text or name:=JSON'],
    [['call', 'f', '-f', 'a:={', ...USER], 'the value of a is not valid JSON; for text, write a=…'],
    [['call', 'f', '-f', 'a=1', '-f', 'a=2', ...USER], 'a is given twice'],
    [['call', 'f', '--input', 'none.json', ...USER], 'none.json does not exist'],
    [['call', 'f', '--input', '-', ...USER], '- must contain a JSON object'],
    [['call', 'f'], 'give --user <user_id>: the user on whose behalf Onward acts'],
    [['limits', 'set', '5'], 'give either --user or --all'],
    [['usage', '--history'], 'a history belongs to one user: give a user_id'],
    [['api', 'GET', 'x', ...USER], 'the path must begin with /'],
  ])('of %j ends with code 2 and sends no request', async (args, problem) => {
    expect(await stage.run(args, { env: stage.env, stdin: '[]' })).toEqual({ code: 2, out: '', err: `error: ${problem}\n` })
    expect(stage.requests()).toEqual([])
  })
})
