import { createHmac } from 'node:crypto'
import { openDatabase, openPrepared } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openScriptedServer, openSuite, type Received } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import type { Tables } from '../../src/db/tables.ts'
import { readConfig, startFunctions } from '../../src/index.ts'

export { ADMIN_TOKEN }

/** The credentials of an account of each test app, without its URL. */
export const SECRETS = {
  desk: { api_key: 'desk-key-0123456789' },
  maps: { api_key: 'maps-key/+0123456789' },
  crm: { token: 'crm-token-0123456789' },
  phone: { username: 'ada', password: 'phone-pass-0123456789' },
  notes: {},
  larch: { token: 'larch-token-0123456789' },
  maple: { token: 'maple-token-0123456789' },
} as const

export type TestApp = keyof typeof SECRETS

/** Opens a proxy through which the service reaches its database. */
export type OpenLink = (databaseUrl: string) => Promise<{ readonly url: string; close(): Promise<void> }>

type Options = {
  readonly env?: Readonly<Record<string, string>>
  /** Loads the built-in apps in addition to the test apps. */
  readonly builtIn?: boolean
  readonly openLink?: OpenLink
}

const TEST_APPS = 'services/functions/test/apps'
const WEIGHTS = 'packages/predict/weights'

/** Loads the test apps instead of the built-in apps. */
export const TEST_BUILT_IN = {
  apps: TEST_APPS,
  weights: WEIGHTS,
  font: 'services/functions/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  viewer: 'services/functions/node_modules/@scalar/api-reference/dist/browser',
  importWorker: 'services/functions/src/import-worker.ts',
}

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

export type Functions = Awaited<ReturnType<typeof openFunctions>>

/**
 * Starts the service for all tests of a file. The returned object is filled by a `beforeAll` hook, so use it only inside hooks and
 * tests. The service is closed after the last test.
 */
export function useFunctions(options: Options = {}): Functions {
  const onward = {} as Functions
  beforeAll(async () => {
    Object.assign(onward, await openFunctions(options))
  })
  return onward
}

/** Starts the service for all tests of a file, with an app for every kind of authentication, body and paging. */
export function useKinds() {
  const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/kinds-apps' } })
  let users = 0

  return {
    onward,
    /** Creates a user with an account of the app on the scripted server. */
    async connect(app: string, credentials: Readonly<Record<string, string>>, path = ''): Promise<User> {
      const user = onward.user(`user-${++users}`)
      const sent = { user_id: user.userId, app, credentials: { url: `${onward.third.url}${path}`, ...credentials } }
      await onward.admin('post', `/admin/applications/${onward.application.appKey}/connected-accounts`, sent).expect(200)
      return user
    },
    /** Returns the last request that the scripted server received. */
    last(): Received {
      const received = onward.third.received.at(-1)
      if (!received) throw new Error('nothing was received')
      return received
    },
  }
}

/**
 * Starts the service in this process, with its own database and queue, a scripted third party and one application. Everything is closed
 * after the last test of the file; the file fails when a database connection is still open then.
 */
export async function openFunctions({ env = {}, builtIn = false, openLink }: Options = {}) {
  const suite = await openSuite('functions')
  const third = await openScriptedServer()
  const link = await openLink?.(suite.databaseUrl)
  const settings: Readonly<Record<string, string>> = {
    ...areaEnv({ ...suite, databaseUrl: link?.url ?? suite.databaseUrl }),
    CHECK_RESPONSES: 'true',
    CALL_BODIES: 'all',
    ...(builtIn ? { APPS_PATH: TEST_APPS } : {}),
    ...env,
  }
  const config = readConfig(settings, builtIn ? { ...TEST_BUILT_IN, apps: 'packages/catalog/apps' } : TEST_BUILT_IN)
  const running = await startFunctions(config)
  const db = openDatabase<Tables>(suite.databaseUrl, 2)
  const prepared = openPrepared(suite.databaseUrl, 1)
  const { url, internalUrl } = running

  function admin(method: 'get' | 'put' | 'post' | 'delete', path: string, body?: object) {
    return request(internalUrl)[method](path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body)
  }

  async function makeApplication(appKey: string, workspaceId = 'workspace-1', settings: object = {}) {
    // Tests of confirming turn it on.
    const sent = { workspace_id: workspaceId, name: appKey, confirm_accounts: false, ...settings }
    const { body } = await admin('put', `/admin/applications/${appKey}`, sent).expect(200)
    return { appKey, secret: body.app_secret as string }
  }

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    stopped ??= running.close()
    await stopped
  }
  let closed: Promise<void> | undefined
  const others: { close(): Promise<void> }[] = []
  async function closeAll(): Promise<void> {
    await stop()
    for (const other of others) await other.close()
    await third.close()
    await link?.close()
    await prepared.close()
    await db.destroy()
    await suite.close()
  }
  async function close(): Promise<void> {
    closed ??= closeAll()
    await closed
  }
  opened.push({ close })

  const application = await makeApplication('app-1')
  let users = 0
  return {
    environment: settings,
    suite,
    config,
    third,
    db,
    prepared,
    url,
    internalUrl,
    admin,
    application,
    makeApplication,
    /** The MCP URL of `application`. */
    mcpUrl: `${url}/mcp/${application.appKey}`,
    /** Returns a user whom no other test of the file has. */
    newUser() {
      return this.user(`user-${++users}`)
    },
    /** Returns a user of an application, who can call endpoints and connect accounts. */
    user(userId: string, { appKey, secret } = application) {
      const headers = { 'App-Key': appKey, 'User-ID': latin1(userId), Hash: hashOf(secret, userId) }
      const post = (path: string, body?: string | object) => withBytes(request(url).post(path).set(headers), body)
      return {
        userId,
        headers,
        post,
        call: (name: string, body?: string | object, query = '') => post(`/functions/${name}/call${query}`, body),
        /** Connects an account through the admin API and returns its id. */
        async connect(app: TestApp, credentials: Readonly<Record<string, string>> = {}): Promise<number> {
          const all = { ...SECRETS[app], url: third.url, ...credentials }
          const path = `/admin/applications/${appKey}/connected-accounts`
          const { body } = await admin('post', path, { user_id: userId, app, credentials: all }).expect(200)
          return body.id
        },
      }
    },
    /** Counts the rows that calls have written, and the tasks in the outbox: the relay merges its rows. */
    async rows() {
      const { rows } = await sql<{ call_log: number; call_attempt: number; outbox: number }>`
        select (select count(*)::int from call_log) as call_log, (select count(*)::int from call_attempt) as call_attempt,
          (select coalesce(sum(tasks), 0)::int from outbox) as outbox`.execute(db)
      return rows[0] ?? { call_log: 0, call_attempt: 0, outbox: 0 }
    },
    /** Returns whether the outbox has a task of this call. Tasks stay there as long as no worker runs. */
    async counted(callId: string): Promise<boolean> {
      const { rows } = await sql`select from outbox where events @> ${JSON.stringify([{ id: callId }])}::jsonb`.execute(db)
      return rows.length > 0
    },
    /** Starts the service once more, on the same database and queues. */
    async startAnother(change: Partial<typeof config> = {}) {
      const other = await startFunctions({ ...config, ...change })
      others.push(other)
      return other
    },
    /** `stop` stops the service; `close` also releases everything else. Both also happen after the last test of the file. */
    stop,
    close,
  }
}

export type User = ReturnType<Functions['user']>

/** Computes the Hash header of a User-ID as a client application does. */
export function hashOf(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex')
}

/** Sends a string as a form and anything else as JSON. The body is sent as bytes, because Node re-encodes headers that it writes with text. */
function withBytes(sent: request.Test, body: string | object | undefined): request.Test {
  if (body === undefined) return sent
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return sent
    .type(typeof body === 'string' ? 'form' : 'json')
    .serialize((bytes) => bytes)
    .send(Buffer.from(text))
}

const LOGIN_URL = /^http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]{60,}$/

/** Matches the login_url of an app that needs an account. */
export const loginUrl: string = expect.stringMatching(LOGIN_URL)

/** Removes each login_url, because they differ at every request. Throws when one is not a link; it must be empty for an app without accounts. */
export function withoutLoginUrls<T extends object>(body: T): T {
  const text = JSON.stringify(body, function (this: { allow_multiple_connected_accounts?: boolean }, key, value) {
    if (key !== 'login_url') return value
    const valid = this.allow_multiple_connected_accounts === false ? value === '' : LOGIN_URL.test(value)
    if (!valid) throw new Error(`${value} is not a login_url`)
  })
  return JSON.parse(text)
}

/** Encodes text for a header value: Node writes each character as one byte. */
export function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Returns rows for `it.each`: each text after a short form of it, for the title. */
export function withShortNames(texts: readonly string[]): [string, string][] {
  return texts.map((text) => [JSON.stringify(text).slice(0, 30), text])
}
