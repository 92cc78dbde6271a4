import { connectAccount, manageAccounts, openPicker } from '../src/browser.ts'
import { Onward, OnwardInsights } from '../src/index.ts'
import { loadAISDKTools, loadLangChainTools, loadTools } from '../src/tools/index.ts'
import { signForTest, unwrap } from '../src/webhooks.ts'
import { useScripted } from './scripted.ts'

const scripted = useScripted()

/** How many parameters each method has before its options. */
const OF_USER: Readonly<Record<string, number>> = {
  request: 2,
  'apps.list': 0,
  'apps.get': 1,
  'functions.list': 0,
  'functions.get': 1,
  'functions.predict': 1,
  'functions.call': 2,
  'functions.batchCall': 1,
  'functions.dryRun': 2,
  'functions.callOrThrow': 2,
  'functions.callPages': 2,
  'accounts.list': 0,
  'accounts.rename': 2,
  'accounts.setDefault': 1,
  'accounts.confirm': 2,
  'accounts.disconnect': 1,
  'connect.session': 0,
  'connect.waitForAccount': 1,
  'calls.list': 0,
  'calls.get': 1,
  'approvals.list': 0,
  'approvals.get': 1,
  'approvals.approve': 1,
  'approvals.refuse': 1,
  'mcp.createToken': 1,
  'mcp.listTokens': 0,
  'mcp.narrowToken': 2,
  'mcp.revokeToken': 1,
  'mcp.createSignInLink': 0,
  'mcp.approveSignIn': 1,
}
const OF_INSIGHTS: Readonly<Record<string, number>> = {
  request: 2,
  'users.list': 0,
  'users.get': 1,
  'users.history': 1,
  'limits.set': 1,
  'limits.setAll': 1,
  'limits.setDefault': 1,
  'subscriptions.create': 1,
  'subscriptions.list': 0,
  'subscriptions.get': 1,
  'subscriptions.delete': 1,
  'subscriptions.disable': 1,
  'subscriptions.enable': 1,
  'subscriptions.rotateSecret': 1,
  'subscriptions.test': 1,
  'subscriptions.update': 2,
  'subscriptions.deliveries': 1,
  'deliveries.replay': 1,
}

type Method = (...args: readonly unknown[]) => unknown

/** Returns the methods of a client and of its parts, by their paths. */
function methodsOf(client: object): Map<string, Method> {
  const parts = Object.entries(client).filter(([, part]) => typeof part === 'object')
  return new Map(
    [['', client] as const, ...parts].flatMap(([path, part]) =>
      Object.getOwnPropertyNames(Object.getPrototypeOf(part))
        .filter((name) => name !== 'constructor')
        .map((name): [string, Method] => [path === '' ? name : `${path}.${name}`, part[name].bind(part)]),
    ),
  )
}

/** Returns the message of the error that a function throws, at once or when its result is read. */
async function messageOf(run: () => unknown): Promise<string> {
  try {
    const result = await run()
    for await (const _ of result as AsyncIterable<unknown>);
  } catch (err) {
    if (err instanceof TypeError) return err.message
    throw err
  }
  return 'nothing was thrown'
}

describe('an option that does not exist', () => {
  it.each(['user', 'insights'] as const)('is refused by every method of the client of %s, and nothing is sent', async (area) => {
    const methods = methodsOf(area === 'user' ? scripted.user() : scripted.insights())
    const parameters = area === 'user' ? OF_USER : OF_INSIGHTS
    expect(new Set(methods.keys())).toEqual(new Set(Object.keys(parameters)))
    for (const [path, method] of methods) {
      const before = Array.from({ length: parameters[path] ?? 0 }, () => (path.endsWith('batchCall') ? [] : {}))
      expect([path, await messageOf(() => method(...before, { timout: 5 }))]).toEqual([
        path,
        'there is no option timout; did you mean timeout?',
      ])
    }
    expect(scripted.server.received).toEqual([])
  })

  const user = new Onward({ baseUrl: 'http://127.0.0.1:1', appKey: 'key', appSecret: 'secret' }).forUser('joe')
  const functions = user.functions
  const subscriptions = new OnwardInsights({ baseUrl: 'http://127.0.0.1:1', apiKey: 'pk_1', appKey: 'key' }).subscriptions
  it.each<[string, (given: never) => unknown, object, string]>([
    ['new Onward', (given) => new Onward(given), { maxRetrys: 1 }, 'maxRetries'],
    ['new OnwardInsights', (given) => new OnwardInsights(given), { api_key: 'pk_1' }, 'apiKey'],
    ['forUser', (given) => new Onward({ baseUrl: 'http://x', appKey: 'k' }).forUser('joe', given), { hahsh: 'a' }, 'hash'],
    ['toArray', (given) => user.apps.list().toArray(given), { Limit: 1 }, 'limit'],
    ['functions.list', (given) => functions.list(given), { typ: 'QUERY' }, 'type'],
    ['functions.call', (given) => functions.call('f', {}, given), { feilds: ['name'] }, 'fields'],
    ['functions.predict', (given) => functions.predict('p', given), { top_k: 3 }, 'topK'],
    ['a call of a batch', (given) => functions.batchCall([given]), { name: 'f', argument: {} }, 'arguments'],
    ['subscriptions.create', (given) => subscriptions.create(given), { events: [], callback_url: 'http://x' }, 'callbackUrl'],
    ['subscriptions.update', (given) => subscriptions.update('s', given), { callbackURI: 'http://x' }, 'callbackUrl'],
    ['mcp.createToken', (given) => user.mcp.createToken(given), { mode: 'search', readonly: true }, 'readOnly'],
    ['mcp.narrowToken', (given) => user.mcp.narrowToken('t', given), { app: ['slack'] }, 'apps'],
    ['loadTools', (given) => loadTools(user, 'openai', given), { app: ['slack'] }, 'apps'],
    ['loadAISDKTools', (given) => loadAISDKTools(user, {} as never, given), { read_only: true }, 'readOnly'],
    ['loadLangChainTools', (given) => loadLangChainTools(user, (() => {}) as never, given), { name: ['f'] }, 'names'],
    ['unwrap', (given) => unwrap('{}', {}, 'whsec_MDEy', given), { toleranceSecond: 1 }, 'toleranceSeconds'],
    ['signForTest', (given) => signForTest({} as never, 'whsec_MDEy', given), { sent_at: new Date() }, 'sentAt'],
    ['connectAccount', (given) => connectAccount(given), { loginURL: 'http://x', signl: 1 }, 'loginUrl'],
    ['openPicker', (given) => openPicker(given), { url: 'http://x', onevent: () => {} }, 'onEvent'],
    ['manageAccounts', (given) => manageAccounts('http://x', given), { onConnect: () => {} }, 'onConnected'],
  ])('is refused by %s with the name of the nearest', async (_, run, given, nearest) => {
    expect(await messageOf(() => run(given as never))).toMatch(new RegExp(`^there is no option \\w+; did you mean ${nearest}\\?$`))
  })

  it('is refused with the names of all options if none is near', async () => {
    const dryRun = { dryRun: true } as object
    expect(await messageOf(() => functions.call('f', {}, dryRun))).toBe(
      'there is no option dryRun; the options are timeout, totalTimeout, maxRetries, headers, signal, connectedAccountId, variables, cursor, fields, idempotencyKey',
    )
  })

  it('is refused when a tool is run', async () => {
    scripted.answers([200, { functions: [], _cursor: null }])
    const { run, execute } = await loadTools(scripted.user(), 'anthropic', { apps: ['slack'] })
    const abort = { Signal: AbortSignal.timeout(1_000) } as object
    const call = { type: 'tool_use', id: 't', name: 'f', input: {} } as const
    for (const refused of [() => run('f', {}, abort), () => execute(call, abort)]) {
      expect(await messageOf(refused)).toBe('there is no option Signal; did you mean signal?')
    }
  })
})
