import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OutgoingClient, openClient } from '@onward/runtime'
import { OAuthError } from '../../src/oauth/errors.ts'
import type { TokenSender } from '../../src/oauth/send.ts'
import { type OpenLink, openFunctions } from './support.ts'

/** Returns the file of an app at `url` with two functions: the QUERY `<name>-get-me` and the ACTION `<name>-add-note`. */
export function appFile(name: string, url: string, auth: object | object[], more: object = {}): object {
  return {
    name,
    title: name[0]?.toUpperCase() + name.slice(1),
    description: `The test app ${name}.`,
    base_url: url,
    auth,
    functions: {
      'get-me': { title: 'Get me', description: 'Returns your profile.', type: 'QUERY', request: { method: 'GET', path: '/me' } },
      'add-note': {
        title: 'Add note',
        description: 'Adds a note.',
        type: 'ACTION',
        parameters: { properties: { text: { type: 'string', description: 'The text of the note.' } }, required: ['text'] },
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

/** Writes app files into a new folder and returns its path, for APPS_PATH. */
export async function appFolder(files: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onward-apps-'))
  folders.push(folder)
  // JSON is valid YAML.
  for (const file of files) await writeFile(join(folder, `${(file as { name: string }).name}.yaml`), JSON.stringify(file))
  return folder
}

/** Starts the service with these apps in addition to the test apps. */
export async function openWithApps(files: readonly object[], env: Readonly<Record<string, string>> = {}, openLink?: OpenLink) {
  const onward = await openFunctions({ env: { APPS_PATH: await appFolder(files), ...env }, openLink })
  const { admin, application, db } = onward
  const accounts = `/admin/applications/${application.appKey}/connected-accounts`

  return {
    ...onward,
    /** Stores credentials of a user through the admin API. */
    connect: (userId: string, app: string, credentials: Readonly<Record<string, string>>) =>
      admin('post', accounts, { user_id: userId, app, credentials }),
    /** Creates a user with an account of an app. */
    async userWith(app: string, credentials: Readonly<Record<string, string>>) {
      const userId = `user-${Math.random()}`
      const { body } = await admin('post', accounts, { user_id: userId, app, credentials }).expect(200)
      const id = Number(body.id)
      const user = onward.user(userId)
      return {
        id,
        user,
        getMe: () => user.call(`${app}-get-me`, {}),
        /** Returns the account as the workspace sees it. */
        async account() {
          const { body: listed } = await admin('get', `${accounts}?user_id=${userId}`).expect(200)
          return listed.connected_accounts[0] as { status: string; last_error: string | null; modified_at: string }
        },
      }
    },
    /** Lets users enter a token also where they can sign in. */
    allowTokens: (tokens: boolean) =>
      admin('put', `/admin/applications/${application.appKey}`, {
        workspace_id: 'workspace-1',
        name: application.appKey,
        connect_pages: { tokens },
      }).expect(200),
    /** Sets the application's OAuth client for an app. */
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

/** Opens a client that sends token requests to servers on this machine. */
export function tokenSender(): TokenSender {
  const client = openClient({
    reach: 'local',
    connectTimeoutMs: 1_000,
    timeoutMs: 20_000,
    maxRequestBytes: 65_536,
    maxResponseBytes: 65_536,
    overflow: 'fail',
  })
  clients.push(client)
  return { client, reach: 'local' }
}

/** Returns the time `seconds` from now, in the form that an account stores. */
export function inSeconds(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toISOString()
}

/** Returns the OAuthError that `work` throws. Throws when it does not. */
export async function failure(work: Promise<unknown>): Promise<OAuthError> {
  const err = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(err instanceof OAuthError)) throw new Error(`expected an OAuthError, got ${err}`)
  return err
}
