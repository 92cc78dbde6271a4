import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OutgoingClient, openClient } from '@onward/runtime'
import { OAuthError } from '../src/oauth/errors.ts'
import type { TokenSender } from '../src/oauth/send.ts'
import { openFunctions } from './support.ts'

/** An app with two functions below `url`, as its file holds it: `<name>-get-me` and the ACTION `<name>-add-note`. */
export function appFile(name: string, url: string, auth: object | object[], more: object = {}): object {
  return {
    name,
    title: name[0]?.toUpperCase() + name.slice(1),
    description: `The ${name} of the tests.`,
    base_url: url,
    auth,
    functions: {
      'get-me': { title: 'Get me', description: 'Tells who you are.', type: 'QUERY', request: { method: 'GET', path: '/me' } },
      'add-note': {
        title: 'Add note',
        description: 'Adds a note.',
        type: 'ACTION',
        parameters: { properties: { text: { type: 'string', description: 'What to note.' } }, required: ['text'] },
        request: { method: 'POST', path: '/notes', body: { text: '{text}' } },
      },
    },
    ...more,
  }
}

export type OAuthFunctions = Awaited<ReturnType<typeof openWithApps>>

const folders: string[] = []
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true })
})

/** The app files in a folder of their own, for APPS_PATH. */
export async function appFolder(files: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
  folders.push(folder)
  // JSON is YAML.
  for (const file of files) await writeFile(join(folder, `${(file as { name: string }).name}.yaml`), JSON.stringify(file))
  return folder
}

/** The service with these apps beside those of the tests. */
export async function openWithApps(files: readonly object[], env: Readonly<Record<string, string>> = {}) {
  const onward = await openFunctions({ env: { APPS_PATH: await appFolder(files), ...env } })
  const { admin, application, db } = onward
  const accounts = `/admin/applications/${application.appKey}/connected-accounts`

  return {
    ...onward,
    /** Stores a user's credentials, and gives the answer. */
    connect: (userId: string, app: string, credentials: Readonly<Record<string, string>>) =>
      admin('post', accounts, { user_id: userId, app, credentials }),
    /** A user with an account of an app. */
    async userWith(app: string, credentials: Readonly<Record<string, string>>) {
      const userId = `user-${Math.random()}`
      const { body } = await admin('post', accounts, { user_id: userId, app, credentials }).expect(200)
      const id = Number(body.id)
      const user = onward.user(userId)
      return {
        ...{ id, user },
        getMe: () => user.call(`${app}-get-me`, {}),
        /** As the partner sees it. */
        async account() {
          const { body: listed } = await admin('get', `${accounts}?user_id=${userId}`).expect(200)
          return listed.connected_accounts[0] as { status: string; last_error: string | null; modified_at: string }
        },
      }
    },
    /** Gives the application an OAuth client for an app. */
    setClient: (app: string, client_id: string, client_secret: string) =>
      admin('put', `/admin/applications/${application.appKey}/oauth-clients/${app}`, { client_id, client_secret }),
    version: async (id: number) =>
      (await db.selectFrom('connected_account').select('version').where('id', '=', String(id)).executeTakeFirstOrThrow()).version,
  }
}

const clients: OutgoingClient[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
})

/** Sends token requests to servers on this machine. */
export function tokenSender(): TokenSender {
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 1_000,
    timeoutMs: 20_000,
    maxRequestBytes: 65_536,
    maxAnswerBytes: 65_536,
    overflow: 'fail',
  })
  clients.push(client)
  return { client, reach: 'local' }
}

/** A time so many seconds from now, as an account holds it. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}

/** What the work throws, which must be an OAuthError. */
export async function failure(work: Promise<unknown>): Promise<OAuthError> {
  const err = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(err instanceof OAuthError)) throw new Error(`no OAuthError: ${err}`)
  return err
}
