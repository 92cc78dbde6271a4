import { sendJson } from '@onward/testbed'
import { ID } from './command-cases.ts'
import { answers, openStage, type Stage } from './stage.ts'

let stage: Stage

beforeEach(async () => {
  stage = await openStage()
})

afterEach(() => stage.close())

const SIGN_IN = '/admin/applications/shop/mcp-sign-in'
const TOKENS = '/admin/applications/shop/mcp-tokens'
const openid = { issuer: 'https://login.example', client_id: 'onward', claim: 'email' }
const settings = { hand_off_url: 'https://shop.example/agents', openid, redirect_url: 'https://onward.example/oauth/callback' }
const run = (args: readonly string[], stdin?: string) => stage.run(['application', 'mcp-sign-in', 'shop', ...args], { stdin })

describe('application mcp-sign-in', () => {
  it('shows the settings', async () => {
    answers(stage.functions, settings)
    expect(await run([])).toEqual({
      code: 0,
      out: `hand_off_url      https://shop.example/agents
redirect_url      https://onward.example/oauth/callback
openid_issuer     https://login.example
openid_client_id  onward
openid_claim      email
`,
      err: '',
    })
    expect(stage.requests()).toEqual(Array(2).fill(['functions', 'GET', SIGN_IN]))
  })

  it.each<[string, readonly string[], string | undefined, object]>([
    ['the page', ['--hand-off-url', 'https://shop.example/new'], undefined, { hand_off_url: 'https://shop.example/new', openid }],
    ['the claim', ['--openid-claim', 'sub'], undefined, { hand_off_url: settings.hand_off_url, openid: { ...openid, claim: 'sub' } }],
    [
      'the client with its secret',
      ['--openid-client-id', 'other', '--openid-secret'],
      'client_secret=s3cret',
      { hand_off_url: settings.hand_off_url, openid: { ...openid, client_id: 'other', client_secret: 's3cret' } },
    ],
    ['nothing but links', ['--hand-off-url', '', '--openid-issuer', ''], undefined, { hand_off_url: null, openid: null }],
  ])('changes %s, and keeps the rest', async (_title, args, stdin, body) => {
    answers(stage.functions, settings)
    expect(await run(args, stdin)).toMatchObject({ code: 0, err: '' })
    expect(stage.requests()).toContainEqual(['functions', 'PUT', SIGN_IN, body])
  })

  it('needs the issuer and the client id of a new provider', async () => {
    answers(stage.functions, { ...settings, openid: null })
    const { code, err } = await run(['--openid-issuer', 'https://login.example'])
    expect([code, err]).toEqual([2, 'error: give --openid-issuer and --openid-client-id\n'])
  })
})

describe('application mcp-tokens', () => {
  const token = (id: string) => ({
    id,
    user_id: 'joe',
    name: 'Cursor',
    apps: null,
    read_only: false,
    client: { redirect_host: 'cursor:' },
    rules: id === ID ? [{ result: 'ask' }] : [],
  })

  it('lists the tokens of all pages, up to the limit', async () => {
    stage.functions.respond(({ url }, response) => {
      const isFirst = !url.includes('_cursor')
      sendJson(response, 200, { tokens: [token(isFirst ? ID : 'second')], _cursor: isFirst ? 'next' : null })
    })
    const { out } = await stage.run(['application', 'mcp-tokens', 'shop', '--user', 'joe', '--json'])
    expect(JSON.parse(out).tokens.map((each: { id: string }) => each.id)).toEqual([ID, 'second'])
    expect(stage.requests()).toEqual([
      ['functions', 'GET', `${TOKENS}?user_id=joe&page_size=50`],
      ['functions', 'GET', `${TOKENS}?user_id=joe&page_size=49&_cursor=next`],
    ])
    const { out: one } = await stage.run(['application', 'mcp-tokens', 'shop', '--limit', '1'])
    expect(one.split('\n')).toHaveLength(3)
    expect(one).toMatch(/READ_ONLY +HAS_RULES .*\n.* no +yes /)
    const { out: both } = await stage.run(['application', 'mcp-tokens', 'shop'])
    expect(both).toMatch(/second .* no +no /)
    expect(one).toContain('cursor:')
  })
})

describe('application mcp-client', () => {
  const CLIENTS = '/admin/applications/shop/mcp-clients'
  const client = { client_id: 'mcc_1', name: 'Host', redirect_uris: ['https://host.example/cb'], auth_method: 'client_secret_post' }

  it('makes a client, and shows its secret once', async () => {
    answers(stage.functions, { ...client, client_secret: 'mcs_1' })
    const { out, err } = await stage.run([
      ...['application', 'mcp-client', 'add', 'shop', '--name', 'Host', '--redirect-uris', 'https://host.example/cb', 'host:cb'],
      ...['--auth-method', 'client_secret_basic'],
    ])
    expect(out).toMatch(/client_id +mcc_1\n.*client_secret +mcs_1\n/s)
    expect(err).toContain('not shown again')
    const body = { name: 'Host', redirect_uris: ['https://host.example/cb', 'host:cb'], auth_method: 'client_secret_basic' }
    expect(stage.requests()).toEqual([['functions', 'POST', CLIENTS, body]])
  })

  it('lists and removes clients', async () => {
    answers(stage.functions, { mcp_clients: [client] })
    expect((await stage.run(['application', 'mcp-client', 'list', 'shop'])).out).toMatch(/mcc_1 +Host +https:/)
    answers(stage.functions, { success: true })
    expect(await stage.run(['application', 'mcp-client', 'remove', 'shop', 'mcc_1'])).toMatchObject({ code: 0 })
    expect(stage.requests().slice(-1)).toEqual([['functions', 'DELETE', `${CLIENTS}/mcc_1`]])
  })
})

describe('application revoke-mcp-token', () => {
  it('revokes the token of any user', async () => {
    answers(stage.functions, { success: true })
    const { out } = await stage.run(['application', 'revoke-mcp-token', 'shop', ID])
    expect(out).toBe(`id       ${ID}\nrevoked  yes\n`)
    expect(stage.requests()).toEqual([['functions', 'DELETE', `${TOKENS}/${ID}`]])
  })
})
