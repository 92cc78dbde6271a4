import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TASK_QUEUE } from '@onward/contract'
import { eventually, openScriptedServer, openStoredQueues, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { headingOf, loginUrlOf, openBrowser, sessionOf } from '../support/connecting.ts'
import { appFile, openWithApps } from '../support/oauth-support.ts'
import { ADMIN_TOKEN, type Functions, openFunctions } from '../support/support.ts'

let onward: Functions
let folder: string
const answers: string[] = []

const CANARIES = {
  desk: { api_key: 'canary-desk-0123456789' },
  maps: { api_key: 'canary-maps-0123456789' },
  crm: { token: 'canary-crm-0123456789' },
  phone: { username: 'canary-user-0123456789', password: 'canary-pass-0123456789' },
} as const

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  onward = await openFunctions({ env: { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') } })
  const joe = onward.user('joe')
  for (const app of ['desk', 'maps', 'crm', 'phone'] as const) {
    await joe.connect(app, CANARIES[app])
    const calls: [string, number][] = [
      ['', 200],
      ['this is no JSON: ', 500],
    ]
    for (const [before, status] of calls) {
      onward.third.respond(({ headers, url }, response) => void response.writeHead(status).end(before + JSON.stringify({ headers, url })))
      answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
    }
    onward.third.respond((_received, _response, request) => void request.socket.destroy())
    answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
    await joe.connect(app, { ...CANARIES[app], url: 'http://127.0.0.1:1' })
    answers.push((await joe.call(`${app}-passthrough-request`, { url: '/x' })).text)
  }
  const query = new URLSearchParams({ app_key: 'app-1', user_id: 'joe', hash: joe.headers.Hash })
  answers.push((await onward.user('nobody').post(`/nowhere?${query}`)).text)
  // Without its table the request fails with an error that is logged in full.
  await sql`alter table connected_account rename to moved_account`.execute(onward.db)
  answers.push((await joe.call('desk-list-labels')).text, (await joe.post('/apps/desk/get')).text)
  await sql`alter table moved_account rename to connected_account`.execute(onward.db)
  answers.push((await onward.admin('get', '/metrics')).text)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Returns each secret in plain text, hex and base64. */
function forms(): string[] {
  const { username, password } = CANARIES.phone
  const secrets = [...Object.values(CANARIES).flatMap((each) => Object.values(each)), onward.application.secret, `${username}:${password}`]
  return [...secrets, ADMIN_TOKEN].flatMap((secret) => [
    secret,
    Buffer.from(secret).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    Buffer.from(secret).toString('base64url'),
  ])
}

function expectClean(where: string): void {
  for (const form of forms()) expect(where.includes(form) ? form : 'none').toBe('none')
}

describe('secrets', () => {
  it('appear in no table of the database', async () => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(onward.db)
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['application', 'connected_account', 'call_log', 'outbox']))
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await sql<{ text: string }>`select row_to_json(t)::text as text from ${sql.table(name)} t`.execute(onward.db)
      dump += rows.map(({ text }) => text).join('\n')
    }
    expect(dump).toContain('desk-passthrough-request')
    expect(dump).toContain('[redacted]')
    expectClean(dump)
  })

  it('do not appear in the queue', async () => {
    const queues = openStoredQueues({ url: onward.suite.queueUrl, prefix: onward.suite.queuePrefix })
    const jobs = await eventually(async () => {
      const found = await queues.jobs(TASK_QUEUE)
      expect(found.length).toBeGreaterThan(0)
      return found
    })
    expectClean(JSON.stringify(jobs.map(({ data, opts }) => [data, opts])))
    await queues.close()
  })

  it('appear in no response and no error', () => {
    expect(answers.join('')).toContain('[redacted]')
    expectClean(answers.join('\n'))
  })

  it('do not appear in the log, and neither does a Hash header', async () => {
    // Lines are written up to 100 ms later.
    const log = await eventually(async () => {
      const text = await readFile(join(folder, 'log'), 'utf8')
      expect(text).toContain('a request failed')
      return text
    })
    expectClean(log)
    expect(log).not.toContain(onward.user('joe').headers.Hash)
  })

  it('of one row cannot be decrypted in another row', async () => {
    const accounts = await onward.db.selectFrom('connected_account').selectAll().where('app', '=', 'crm').orderBy('id', 'desc').execute()
    const [newest, used] = [accounts[0], accounts.at(-1)]
    await onward.db
      .updateTable('connected_account')
      .set({ sealed_credentials: newest?.sealed_credentials as Buffer })
      .where('id', '=', String(used?.id))
      .execute()
    // Until it is notified, the process uses the account that it has in memory.
    const { body } = await eventually(() => onward.user('joe').call('crm-list-contacts').expect(500))
    expect(body).toEqual({
      error: 'the service failed; the request was not at fault',
      error_details: [],
      code: 'internal_error',
      request_id: expect.any(String),
    })
  })
})

const KEY = 'canary-key-0123456789'
const CLIENT_SECRET = 'canary-client-secret-0123456789'
const CODE = 'canary-code-0123456789'
const TOKENS = { access_token: 'canary-access-0123456789', refresh_token: 'canary-refresh-0123456789' }

it('keeps secrets of the connect flow out of logs and tables, in success and failure', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  const provider = await openScriptedServer()
  const { url } = provider
  const oauth2 = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }
  const identity = { function: 'get-me', name: '/name' }
  const files = [appFile('oak', url, oauth2, { identity }), appFile('fir', url, { type: 'bearer' }, { identity })]
  const onward = await openWithApps(files, { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') })
  await onward.setClient('oak', 'client', CLIENT_SECRET).expect(200)
  const secrets = [KEY, CLIENT_SECRET, CODE, ...Object.values(TOKENS)]

  const respondToAll = (received: { url: string }) => (received.url === '/token' ? { ...TOKENS, token_type: 'bearer' } : { name: 'Joe' })

  async function journey() {
    const browser = openBrowser()
    const loginUrl = await loginUrlOf(onward.user('joe'), 'fir')
    const form = await browser.open(loginUrl)
    const end = await browser.submit(form, { token: KEY })
    const oakUrl = await loginUrlOf(onward.user('joe'), 'oak')
    const page = await browser.open(oakUrl)
    const state = new URL((await browser.submit(page)).headers.location ?? 'http://x/?state=none').searchParams.get('state') ?? ''
    const back = await browser.open(`${onward.url}/connect/callback?state=${state}&code=${CODE}`)
    const tokens = [loginUrl, oakUrl].map((each) => each.split('/').at(-1) ?? '')
    secrets.push(...tokens, sessionOf(form), sessionOf(page), state, ...browser.cookies.values())
    for (const shown of [form, end, page, back]) expect(shown.text).not.toMatch(/canary/)
    return [end, back]
  }

  provider.respond((received, response) => sendJson(response, 200, respondToAll(received)))
  expect((await journey()).map(headingOf)).toEqual(['Fir is connected', 'Oak is connected'])
  provider.respond((received, response) => sendJson(response, 400, { error: 'invalid_grant', error_description: received.body }))
  expect((await journey()).map(({ status }) => status)).toEqual([400, 400])
  provider.respond((received, response) => sendJson(response, 200, respondToAll(received)))
  const browser = openBrowser()
  const lastUrl = await loginUrlOf(onward.user('joe'), 'fir')
  const form = await browser.open(lastUrl)
  // Without its table the request fails with an error that is logged in full.
  await sql`alter table connected_account rename to moved_account`.execute(onward.db)
  const failed = await browser.submit(form, { token: KEY })
  expect([failed.status, headingOf(failed), failed.type]).toEqual([500, 'Something went wrong', 'text/html'])
  await sql`alter table moved_account rename to connected_account`.execute(onward.db)
  secrets.push(sessionOf(form), lastUrl.split('/').at(-1) ?? '')

  const log = await eventually(async () => {
    const text = await readFile(join(folder, 'log'), 'utf8')
    expect(text).toContain('a page failed')
    return text
  })
  expect(log).toContain('an account was connected')
  const { rows } = await sql<{ text: string }>`
    select row_to_json(s)::text as text from connect_session s union all select row_to_json(a)::text from connected_account a`.execute(
    onward.db,
  )
  const stored = rows.map(({ text }) => text).join('\n')
  for (const secret of secrets.filter((each) => each.length > 8)) {
    const forms = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64url')]
    expect(forms.filter((form) => log.includes(form) || stored.includes(form))).toEqual([])
  }
  await provider.close()
  await rm(folder, { recursive: true })
})
