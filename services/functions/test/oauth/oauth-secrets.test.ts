import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { openProvider, type Provider } from '../support/oauth-provider.ts'
import { appFile, inSeconds, type OAuthFunctions, openWithApps } from '../support/oauth-support.ts'

let provider: Provider
let onward: OAuthFunctions
let folder: string
const answers: string[] = []
const secrets = ['oak-secret-canary-0123456789', 'mint-secret-canary-0123456789', 'minted-canary-0123456789']

/** Runs every failure of a token at a provider that echoes what it receives. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  provider = await openProvider()
  const { url } = provider
  onward = await openWithApps(
    [
      appFile('oak', url, { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }),
      appFile('mint', url, { type: 'oauth2_client_credentials', token_url: `${url}/token` }),
    ],
    { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') },
  )
  await onward.setClient('oak', 'oak-client', secrets[0] ?? '').expect(200)
  const echo = (status: number) => {
    provider.onToken = ({ body, headers }, response) =>
      sendJson(response, status, { error: 'invalid_grant', error_description: `${decodeURIComponent(body)} ${headers.authorization}` })
  }
  for (const status of [400, 200, 500]) {
    await oakCall({ expires_at: inSeconds(-1) }, () => echo(status))
    await oakCall({}, () => {
      provider.refuseToken()
      echo(status)
    })
  }
  await oakCall({ expires_at: inSeconds(-1) }, () => {
    provider.onToken = (_received, _response, request) => void request.socket.destroy()
  })
  // Without its table the request fails with an error that is logged in full.
  await oakCall({ expires_at: inSeconds(-1) }, () => {
    provider.onToken = null
    provider.onCall = ({ body, headers }, response) => sendJson(response, 200, { body, headers })
  })
  await sql`alter table oauth_client rename to moved_client`.execute(onward.db)
  await oakCall({ expires_at: inSeconds(-1) }, () => {})
  await sql`alter table moved_client rename to oauth_client`.execute(onward.db)

  echo(400)
  const credentials = { client_id: 'mint-client', client_secret: secrets[1] ?? '' }
  answers.push((await onward.connect('joe', 'mint', credentials)).text)
  provider.onToken = (_received, response) => sendJson(response, 200, { access_token: secrets[2] })
  answers.push((await onward.connect('joe', 'mint', credentials)).text)
  answers.push((await onward.admin('get', '/admin/applications/app-1/oauth-clients')).text)
  answers.push((await onward.admin('get', '/metrics')).text)
  // The log is complete only after the service has stopped.
  await onward.stop()
})
afterAll(async () => {
  await provider.close()
  await rm(folder, { recursive: true })
})

/** Connects with a new grant, runs `spoil`, makes a call and keeps the responses to the user and to the workspace. */
async function oakCall(more: Record<string, string>, spoil: () => void): Promise<void> {
  provider.onToken = null
  provider.onCall = null
  const { user, account } = await onward.userWith('oak', { ...provider.grant(), ...more })
  spoil()
  answers.push((await user.call('oak-add-note', { text: 'x' })).text, JSON.stringify(await account()))
}

function expectClean(where: string): void {
  // The provider numbers its tokens, so any text of this form is a token.
  expect(where).not.toMatch(/(access|refresh)-token-\d+-0123456789/)
  expect(where).not.toContain(Buffer.from('-0123456789').toString('hex'))
  for (const secret of secrets) {
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, '')]) {
      expect(where.includes(form) ? form : 'none').toBe('none')
    }
  }
}

describe('tokens and client secrets', () => {
  it('appear in no response', () => {
    expect(answers.join('\n')).toContain('invalid_grant: ')
    expect(answers.join('\n')).toContain('[redacted]')
    expectClean(answers.join('\n'))
  })

  it('do not appear in the log', async () => {
    // Lines are written up to 100 ms later.
    const log = await eventually(async () => {
      const text = await readFile(join(folder, 'log'), 'utf8')
      expect(text).toContain('an access token could not be renewed')
      expect(text).toContain('a request failed')
      return text
    })
    expectClean(log)
  })

  it('appear in no table of the database', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(onward.db)
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(onward.db)
      dump += rows.map(({ text }) => text).join('\n')
    }
    expect(dump).toContain('"last_error":"Oak: invalid_grant: ')
    expect(dump).toContain('[redacted]')
    expectClean(dump)
  })
})
