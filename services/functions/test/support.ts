import { createHmac } from 'node:crypto'
import { openDatabase } from '@onward/runtime'
import { ADMIN_TOKEN, areaEnv, openScriptedServer, openSuite } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import type { Tables } from '../src/db/tables.ts'
import { readConfig, startFunctions } from '../src/index.ts'

// Nothing here is a question of speed: a busy machine may take its time.
jest.setTimeout(30_000)

export { ADMIN_TOKEN }

/** What an account of each test app holds besides its URL. */
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

type Options = {
  readonly env?: Readonly<Record<string, string>>
  /** With the apps that come with Onward, besides those of the tests. */
  readonly builtIn?: boolean
}

const TEST_APPS = 'services/functions/test/apps'
const WEIGHTS = 'packages/predict/weights'

/** The apps of the tests in place of those that come with Onward. */
export const TEST_BUILT_IN = { apps: TEST_APPS, weights: WEIGHTS }

const opened: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

export type Functions = Awaited<ReturnType<typeof openFunctions>>

/**
 * The service in this process with parts of its own, a third party that does as it is told, and one application. Closed after
 * the file's tests, which fails when a connection is left open.
 */
export async function openFunctions({ env = {}, builtIn = false }: Options = {}) {
  const suite = await openSuite('functions')
  const third = await openScriptedServer()
  const settings: Readonly<Record<string, string>> = {
    ...areaEnv(suite),
    CHECK_ANSWERS: 'true',
    CALL_BODIES: 'all',
    ...(builtIn ? { APPS_PATH: TEST_APPS } : {}),
    ...env,
  }
  const config = readConfig(settings, builtIn ? { apps: 'packages/catalog/apps', weights: WEIGHTS } : TEST_BUILT_IN)
  const running = await startFunctions(config)
  const db = openDatabase<Tables>(suite.databaseUrl, 2)
  const { url, internalUrl } = running

  function admin(method: 'get' | 'put' | 'post' | 'delete', path: string, body?: object) {
    return request(internalUrl)[method](path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body)
  }

  async function makeApplication(appKey: string, workspaceId = 'workspace-1') {
    const { body } = await admin('put', `/admin/applications/${appKey}`, { workspace_id: workspaceId, name: appKey }).expect(200)
    return { appKey, secret: body.app_secret as string }
  }

  let stopped: Promise<void> | undefined
  async function stop(): Promise<void> {
    stopped ??= running.close()
    await stopped
  }
  let closed: Promise<void> | undefined
  async function closeAll(): Promise<void> {
    await stop()
    await third.close()
    await db.destroy()
    await suite.close()
  }
  async function close(): Promise<void> {
    closed ??= closeAll()
    await closed
  }
  opened.push({ close })

  const application = await makeApplication('app-1')
  return {
    environment: settings,
    ...{ suite, config, third, db, url, internalUrl, admin, application, makeApplication },
    /** A user of an application, and what that user does. */
    user(userId: string, { appKey, secret } = application) {
      const headers = { 'App-Key': appKey, 'User-ID': latin1(userId), Hash: hashOf(secret, userId) }
      const post = (path: string, body?: string | object) => withBytes(request(url).post(path).set(headers), body)
      return {
        ...{ userId, headers, post },
        call: (name: string, body?: string | object, query = '') => post(`/functions/${name}/call${query}`, body),
        /** Connects an account over the admin API, and gives its id. */
        async connect(app: TestApp, credentials: Readonly<Record<string, string>> = {}): Promise<number> {
          const all = { ...SECRETS[app], url: third.url, ...credentials }
          const path = `/admin/applications/${appKey}/connected-accounts`
          const { body } = await admin('post', path, { user_id: userId, app, credentials: all }).expect(200)
          return body.id
        },
      }
    },
    /** How many rows each table of the call's way holds. */
    async rows() {
      const count = async (table: 'call_log' | 'call_attempt' | 'outbox') =>
        (
          await db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll<string>().as('rows'))
            .executeTakeFirstOrThrow()
        ).rows
      return {
        call_log: Number(await count('call_log')),
        call_attempt: Number(await count('call_attempt')),
        outbox: Number(await count('outbox')),
      }
    },
    /** Whether a task of this call waits in the outbox. Nothing takes it from there as long as no worker runs. */
    async counted(callId: string): Promise<boolean> {
      const { rows } = await sql`select from outbox where events @> ${JSON.stringify([{ id: callId }])}::jsonb`.execute(db)
      return rows.length > 0
    },
    /** Stops the service, and `close` all else as well: for who can't wait for the end of the file. */
    ...{ stop, close },
  }
}

export type User = ReturnType<Functions['user']>

/** The hash of a User-ID as a client application makes it. */
export function hashOf(secret: string, userId: string): string {
  return createHmac('sha256', secret).update(userId).digest('hex')
}

/** Sends a text as a form, anything else as JSON. As bytes: Node writes headers and a text together, and would encode the headers twice. */
function withBytes(sent: request.Test, body: string | object | undefined): request.Test {
  if (body === undefined) return sent
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return sent
    .type(typeof body === 'string' ? 'form' : 'json')
    .serialize((bytes) => bytes)
    .send(Buffer.from(text))
}

const LOGIN_URL = /^http:\/\/127\.0\.0\.1:\d+\/connect\/[\w-]{60,}$/

/** A login_url of an app that has something to connect. */
export const loginUrl: string = expect.stringMatching(LOGIN_URL)

/** A body without its login_urls, which are others at each request. Throws when one is neither a link nor, of an app that needs no account, empty. */
export function withoutLoginUrls<T extends object>(body: T): T {
  const text = JSON.stringify(body, function (this: { allow_multiple_connected_accounts?: boolean }, key, value) {
    if (key !== 'login_url') return value
    const sound = this.allow_multiple_connected_accounts === false ? value === '' : LOGIN_URL.test(value)
    if (!sound) throw new Error(`${value} is no login_url`)
  })
  return JSON.parse(text)
}

/** Text as the bytes of a header carry it: Node writes each character as one byte. */
export function latin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
