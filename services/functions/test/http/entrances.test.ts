import { openEmbedTokens, openSessionTokens } from '@onward/access'
import { listen } from '@onward/runtime'
import { eventually, sendJson } from '@onward/testbed'
import { adminRoutes, openPublicApp, publicRoutes } from '../../src/app.ts'
import { openContext } from '../../src/open-context.ts'
import { USER_PREFIX } from '../../src/routes/act-for-user.ts'
import { EMBED_SHAPES } from '../../src/routes/embed.ts'
import { createToken, sendMessage } from '../support/mcp-support.ts'
import { ADMIN_TOKEN, type User, useFunctions } from '../support/support.ts'

const MEBIBYTE = 1_048_576
/** A quarter of the memory for requests in progress: the most that one user can get. */
const ALL_OF_A_USER = 32 * MEBIBYTE

type Rates = { readonly user_rate_limit?: number; readonly user_predict_rate_limit?: number }
/** A user with the credentials of every entrance. */
type Visitor = { readonly user: User; readonly appKey: string; readonly mcp: string }
type Sent = { readonly method: string; readonly path: string; readonly body?: object }
type Entrance = (visitor: Visitor, sent: Sent) => Promise<Response>

const onward = useFunctions()
let ctx: Awaited<ReturnType<typeof openContext>>
let url: string
let app: ReturnType<typeof openPublicApp>
let close: () => Promise<void>
/** The tenants who took a turn. */
const turns: string[] = []

let applications = 0

/** Makes a user of a new application with these rate limits. */
async function visitor(rates: Rates, settings: object = {}): Promise<Visitor> {
  const appKey = `entrances-${++applications}`
  const user = onward.user('joe', await onward.makeApplication(appKey, 'workspace-1', settings))
  await user.connect('notes')
  const { token } = await createToken(user, { mode: 'search' })
  await onward.admin('put', `/admin/applications/${appKey}`, { workspace_id: 'workspace-1', name: appKey, ...rates }).expect(200)
  return { user, appKey, mcp: token }
}

const ask = async ({ method, path, body }: Sent, headers: Readonly<Record<string, string>>) =>
  await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const queryOf = ({ headers }: User) =>
  new URLSearchParams({ app_key: headers['App-Key'], user_id: headers['User-ID'], hash: headers.Hash }).toString()

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

const ENTRANCES = {
  api: async ({ user }, sent) => await ask(sent, user.headers),
  async console({ appKey }, sent) {
    const claims = {
      sub: 'p',
      sid: 's',
      name: 'p@example.com',
      kind: 'person',
      operator: false,
      roles: { 'workspace-1': 'owner' },
    } as const
    const { token } = await openSessionTokens(ADMIN_TOKEN).sign(claims)
    const prefix = USER_PREFIX.replace(':app_key', appKey).replace(':user_id', 'joe')
    return await ask({ ...sent, path: `/console/api/functions${prefix}${sent.path}` }, bearer(token))
  },
  async embed({ appKey }, sent) {
    const holder = { sessionId: 's', workspaceId: 'workspace-1', appKey, userId: 'joe', views: ['accounts'] } as const
    return await ask(sent, bearer((await openEmbedTokens(ADMIN_TOKEN).sign(holder)).token))
  },
  mcp: async ({ mcp }, { body }) => await sendMessage(url, bearer(mcp), { jsonrpc: '2.0', id: 1, ...body }),
} as const satisfies Readonly<Record<string, Entrance>>

const tool = (name: string, args: object): Sent => ({
  method: 'POST',
  path: '/mcp',
  body: { method: 'tools/call', params: { name, arguments: args } },
})
const post = (path: string, body: object = {}): Sent => ({ method: 'POST', path, body })
const CALL = post('/functions/notes-read-notes/call')
const PREDICT = post('/functions/predict', { prompt: 'read all notes' })
const SCHEMA = post('/functions/notes-read-notes/get', { prompt: 'read all notes' })

/** What a refusal says, in the form of each entrance: an error body, an error of JSON-RPC, or the result of a tool. */
async function readRefusal(response: Response): Promise<{ code: string; retryAfter: number } | undefined> {
  const text = await response.text()
  const code = /\\?"code\\?":\\?"([a-z_]+)/.exec(text)?.[1]
  if (code !== 'rate_limited' && code !== 'too_much_in_flight') return undefined
  const isTool = response.status === 200
  if (!isTool) expect(response.status).toBe(429)
  const retryAfter = isTool ? /retry_after\\":(\d+)/.exec(text)?.[1] : response.headers.get('retry-after')
  return { code, retryAfter: Number(retryAfter) }
}

async function allowedUntilRefused(entrance: Entrance, made: Visitor, sent: Sent): Promise<number> {
  for (let allowed = 0; allowed < 10; allowed++) {
    const response = await entrance(made, sent)
    const shown = response.clone()
    const refusal = await readRefusal(response)
    if (refusal === undefined) expect([shown.status, await shown.text()]).toEqual([200, expect.not.stringContaining('"isError":true')])
    else {
      expect(refusal).toEqual({ code: 'rate_limited', retryAfter: expect.any(Number) })
      expect(refusal.retryAfter).toBeGreaterThan(0)
      return allowed
    }
  }
  throw new Error('nothing was refused')
}

describe('the entrances', () => {
  beforeAll(async () => {
    ctx = await openContext(onward.config)
    const { take } = ctx.onward.turns
    ctx.onward.turns.take = (key, run) => {
      turns.push(key)
      take(key, run)
    }
    app = openPublicApp(ctx)
    const listening = await listen(app, '127.0.0.1', 0)
    url = listening.url
    close = async () => {
      await listening.close(0)
      await ctx.close()
    }
    onward.third.respond((_received, response) => sendJson(response, 200, []))
  })
  afterAll(async () => await close())

  describe('the same work', () => {
    it.each<[work: string, entrance: keyof typeof ENTRANCES, sent: Sent, rates: Rates]>([
      ['a call', 'api', CALL, { user_rate_limit: 3 }],
      ['a call', 'console', CALL, { user_rate_limit: 3 }],
      ['a call', 'mcp', tool('call_function', { name: 'notes-read-notes' }), { user_rate_limit: 3 }],
      ['a prediction', 'api', PREDICT, { user_predict_rate_limit: 3 }],
      ['a prediction', 'console', PREDICT, { user_predict_rate_limit: 3 }],
      ['a prediction', 'mcp', tool('search_functions', { queries: [{ task: 'read all notes' }] }), { user_predict_rate_limit: 3 }],
      ['a schema', 'api', SCHEMA, { user_rate_limit: 3 }],
      ['a schema', 'console', SCHEMA, { user_rate_limit: 3 }],
      ['a schema', 'mcp', tool('get_function_schemas', { names: ['notes-read-notes'] }), { user_rate_limit: 3 }],
      ['a preview', 'console', post('/functions/notes-read-notes/preview'), { user_rate_limit: 3 }],
      ['a list of accounts', 'api', post('/connected-accounts/list'), { user_rate_limit: 3 }],
      ['a list of accounts', 'console', post('/connected-accounts/list'), { user_rate_limit: 3 }],
      ['a list of accounts', 'embed', { method: 'GET', path: '/embed/api/functions/accounts' }, { user_rate_limit: 3 }],
    ])('%s through the entrance %s is refused after as many requests', async (_work, entrance, sent, rates) => {
      // A minute can end between two requests.
      await eventually(async () => expect(await allowedUntilRefused(ENTRANCES[entrance], await visitor(rates), sent)).toBe(3), 60_000)
    })
  })

  const fill = (path: string) => path.replace(':app_name', 'desk').replace(':function_name', 'notes-read-notes').replace(/:\w+/g, '1')
  type Shape = { readonly method: string; readonly path: string }
  const sentTo = ({ method, path }: Shape): Sent => ({
    method: method.toUpperCase(),
    path: fill(path),
    ...(method === 'get' ? {} : { body: {} }),
  })
  const PUBLIC = publicRoutes.map(({ endpoint }) => endpoint)
  const FOR_USER = adminRoutes.flatMap(({ endpoint }) => (endpoint.path.startsWith(USER_PREFIX) ? [endpoint] : []))

  /** Every endpoint that works for a user, with its entrance and the profile of its application. */
  const ENDPOINTS: [endpoint: string, entrance: keyof typeof ENTRANCES, sent: Sent, settings: object][] = [
    ...PUBLIC.map((shape) => [shape.path, 'api', sentTo(shape), {}] as [string, 'api', Sent, object]),
    ...PUBLIC.map((shape) => [shape.path, 'console', sentTo(shape), {}] as [string, 'console', Sent, object]),
    ...FOR_USER.map(
      (shape) =>
        [shape.path, 'console', sentTo({ ...shape, path: shape.path.slice(USER_PREFIX.length) }), {}] as [string, 'console', Sent, object],
    ),
    ...EMBED_SHAPES.map((shape) => [shape.path, 'embed', sentTo(shape), {}] as [string, 'embed', Sent, object]),
    ['/mcp', 'mcp', post('/mcp', { method: 'tools/list', params: {} }), {}],
    ['/verify-sdk-config', 'api', { method: 'GET', path: '/verify-sdk-config' }, { client_profile: 'published' }],
    ['/apps/:app_name', 'api', { method: 'GET', path: '/apps/desk' }, { client_profile: 'published' }],
  ]

  describe('every endpoint that works for a user', () => {
    it.each(ENDPOINTS)(
      '%s of the entrance %s takes turns, memory and requests from the share of the user',
      async (_path, entrance, sent, settings) => {
        const made = await visitor({ user_rate_limit: 2, user_predict_rate_limit: 2 }, settings)
        const share = ctx.memory.open({ appKey: made.appKey, userId: 'joe' })
        share.force(ALL_OF_A_USER)
        turns.length = 0
        const refused = await readRefusal(await ENTRANCES[entrance](made, sent))
        share.close()
        expect(refused).toEqual({ code: 'too_much_in_flight', retryAfter: expect.any(Number) })
        // Until an application is in memory, its requests take the turns of unknown ones.
        turns.length = 0
        await eventually(async () => {
          for (const spent of [CALL, PREDICT]) for (let n = 0; n < 3; n++) await (await ENTRANCES.api(made, spent)).arrayBuffer()
          turns.length = 0
          expect(await readRefusal(await ENTRANCES[entrance](made, sent))).toEqual({ code: 'rate_limited', retryAfter: expect.any(Number) })
        }, 60_000)
        expect(turns).toEqual([made.appKey])
      },
    )

    it('includes connecting and testing accounts at the console', async () => {
      const path = ({ appKey }: Visitor) => `/console/api/functions/admin/applications/${appKey}/connected-accounts`
      const as = async () => {
        const claims = { sub: 'tester', sid: 't', name: 't@example.com', kind: 'person', operator: true, roles: {} } as const
        return bearer((await openSessionTokens(ADMIN_TOKEN).sign(claims)).token)
      }
      const credentials = { url: onward.third.url, token: 'x' }
      const connect: Entrance = async (made) =>
        await ask({ method: 'POST', path: path(made), body: { user_id: 'joe', app: 'notes', credentials } }, await as())
      const test: Entrance = async (made) => {
        const { id } = await onward.db
          .selectFrom('connected_account')
          .select('id')
          .where('app_key', '=', made.appKey)
          .executeTakeFirstOrThrow()
        return await ask({ method: 'POST', path: `${path(made)}/${id}/test`, body: {} }, await as())
      }
      for (const entrance of [connect, test]) {
        await eventually(async () => {
          const made = await visitor({ user_rate_limit: 3 })
          let allowed = 0
          while ((await readRefusal(await entrance(made, CALL))) === undefined && allowed < 10) allowed++
          expect(allowed).toBe(3)
        }, 60_000)
      }
    })

    it.each<[string, (made: Visitor, other: Visitor) => Promise<Response>]>([
      ['in the query', async ({ user }) => await ask({ ...CALL, path: `${CALL.path}?${queryOf(user)}` }, {})],
      [
        'in the query, and wrong ones of another in the headers',
        async ({ user }, other) =>
          await ask({ ...CALL, path: `${CALL.path}?${queryOf(user)}` }, { ...other.user.headers, Hash: '0'.repeat(64) }),
      ],
    ])('takes no turn of another application: credentials %s', async (_where, send) => {
      const [made, other] = [await visitor({}), await visitor({})]
      await eventually(async () => {
        for (const each of [made, other]) await (await ENTRANCES.api(each, CALL)).arrayBuffer()
        turns.length = 0
        for (const each of [made, other]) await (await ENTRANCES.api(each, CALL)).arrayBuffer()
        expect(turns).toEqual([made.appKey, other.appKey])
      })
      turns.length = 0
      expect((await send(made, other)).status).toBe(200)
      expect([[made.appKey], ['']]).toContainEqual(turns)
    })

    it('is in this list, or is known to work for no user', () => {
      const forUser = new Set<string>([...ENDPOINTS.map(([path]) => path), ...PUBLIC.map(({ path }) => USER_PREFIX + path)])
      const others = pathsOf(app.router.stack).filter((path) => !forUser.has(path))
      const admin = adminRoutes.map(({ endpoint }) => endpoint.path)
      expect(others.filter((path) => !admin.includes(path))).toEqual([
        // The sign-in of MCP clients: metadata, endpoints of OAuth and pages. They have the limit of the address.
        '/.well-known/oauth-authorization-server',
        '/.well-known/oauth-authorization-server/*added',
        '/.well-known/openid-configuration',
        '/.well-known/openid-configuration/*added',
        '/.well-known/oauth-protected-resource',
        '/.well-known/oauth-protected-resource/*added',
        '/oauth/register',
        '/oauth/token',
        '/oauth/revoke',
        '/authorize',
        '/authorize',
        '/consent',
        '/approvals',
        '/callback',
        '/continue/:link',
        '/link/:token',
        '/link/:token',
        '/openapi.json',
        // The documentation.
        '/',
        '/llms.txt',
        '/',
        '/errors',
        '/hash',
        '/mcp/own-page',
        '/mcp/openid',
        '/mcp/link',
        '/reference.js',
        '/functions.json',
        '/insights.json',
        // The font of the pages.
        '/inter.woff2',
        // The pages on which a browser connects an account. They have the limit of the address.
        '/callback',
        '/accounts/:token',
        '/accounts/:token/apps',
        '/accounts/:token/programs',
        '/accounts/:token/programs/:id',
        '/accounts/:token/programs/:id',
        '/accounts/:token/:id/:change',
        '/accounts/:token/:id/:change',
        '/:token/cancel',
        '/:token',
        '/:token',
        // The same handlers as `/mcp`.
        '/mcp/:app_key',
      ])
    })
  })
})

type Layer = { readonly route?: { readonly path: string | string[] }; readonly handle: { readonly stack?: readonly Layer[] } }

/** Returns the paths of all routes that an app or a router serves, nested routers included. */
function pathsOf(stack: readonly unknown[]): string[] {
  return (stack as readonly Layer[]).flatMap(({ route, handle }) =>
    route === undefined ? pathsOf(handle.stack ?? []) : [route.path].flat(),
  )
}
