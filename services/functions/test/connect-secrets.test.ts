import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, openScriptedServer, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { headingOf, loginUrlOf, openBrowser, sessionOf } from './connecting.ts'
import { appFile, openWithApps } from './oauth-support.ts'

const KEY = 'canary-key-0123456789'
const CLIENT_SECRET = 'canary-client-secret-0123456789'
const CODE = 'canary-code-0123456789'
const TOKENS = { access_token: 'canary-access-0123456789', refresh_token: 'canary-refresh-0123456789' }

it('what must stay secret is in no log line and in no table as it is, whether it goes well or not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'onward-log-'))
  const provider = await openScriptedServer()
  const { url } = provider
  const oauth2 = { type: 'oauth2', authorization_url: `${url}/auth`, token_url: `${url}/token` }
  const identity = { function: 'get-me', name: '/name' }
  const files = [appFile('oak', url, oauth2, { identity }), appFile('fir', url, { type: 'bearer' }, { identity })]
  const onward = await openWithApps(files, { LOG_LEVEL: 'trace', LOG_FILE: join(folder, 'log') })
  await onward.setClient('oak', 'client', CLIENT_SECRET).expect(200)
  const secrets = [KEY, CLIENT_SECRET, CODE, ...Object.values(TOKENS)]

  const answerAll = (received: { url: string }) => (received.url === '/token' ? { ...TOKENS, token_type: 'bearer' } : { name: 'Joe' })

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

  provider.answer((received, response) => sendJson(response, 200, answerAll(received)))
  expect((await journey()).map(headingOf)).toEqual(['Fir is connected', 'Oak is connected'])
  provider.answer((received, response) => sendJson(response, 400, { error: 'invalid_grant', error_description: received.body }))
  expect((await journey()).map(({ status }) => status)).toEqual([400, 400])
  provider.answer((received, response) => sendJson(response, 200, answerAll(received)))
  const browser = openBrowser()
  const lastUrl = await loginUrlOf(onward.user('joe'), 'fir')
  const form = await browser.open(lastUrl)
  // A failure that is logged whole: the table is not there.
  await sql`alter table connected_account rename to moved_account`.execute(onward.db)
  const failed = await browser.submit(form, { token: KEY })
  expect([failed.status, headingOf(failed), failed.type]).toEqual([500, 'Something went wrong', 'text/html'])
  await sql`alter table moved_account rename to connected_account`.execute(onward.db)
  secrets.push(sessionOf(form), lastUrl.split('/').at(-1) ?? '')

  const log = await eventually(async () => {
    const text = await readFile(join(folder, 'log'), 'utf8')
    expect(text).toContain('a connect page failed')
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
