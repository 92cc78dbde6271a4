import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { openBrowser } from '../support/connecting.ts'
import { type Application, type Process, useTwoProcesses, WAIT_MS } from '../support/two-processes.ts'

const two = useTwoProcesses()
const { onward, userOf, admin, pathOf, newApplication, rotate, connect, isHeld, accountCase, cases } = two

/** Changes that a process makes on its pages, or when it calls an app. */
const furtherCases: typeof cases = [
  ['an account that the app refused', () => accountCase('new', refuse)],
  ['a default account that was replaced on a page', () => accountCase('new', preferOnPage)],
]

async function refuse(application: Application, process: Process): Promise<void> {
  onward.third.respond((_received, response) => sendJson(response, 401, {}))
  await userOf(application, process).call().expect(200)
  onward.third.respond((_received, response) => sendJson(response, 200, {}))
}

async function preferOnPage(application: Application, process: Process): Promise<void> {
  const { body } = await userOf(application, process).manage().expect(200)
  const browser = openBrowser(process)
  expect((await browser.submit(await browser.open(body.url))).status).toBe(303)
}

describe('what a process holds in memory', () => {
  it.each(cases)('does not outlast the change of another process that notifies the others: %s', async (_what, make) => {
    const { send, change, check } = await make()
    await isHeld(send)
    await change(onward)
    await eventually(check, WAIT_MS)
  })

  it.each([...cases, ...furtherCases])('does not outlast a change of its own, also without a notification: %s', async (_what, make) => {
    const { send, change, check } = await make()
    await isHeld(send)
    // For a moment, the value in memory is still considered current.
    two.link.silence()
    await change(two.other)
    await check()
  })

  it('accepts a new secret at once, and the previous one until it expires', async () => {
    const application = await newApplication()
    await isHeld(userOf(application).list)
    two.link.silence()
    const secret = await rotate(application, 3 / 3_600)
    const { list } = userOf({ ...application, secret })
    await list().expect(200)
    two.link.heal()
    await isHeld(list)
    await eventually(() => userOf(application).list().expect(401), WAIT_MS)
    await list().expect(200)
  })

  it('does not hide a new account', async () => {
    const application = await newApplication()
    const { call } = userOf(application)
    expect((await call().expect(400)).body.code).toBe('account_not_connected')
    two.link.silence()
    await connect(application, 'first')
    await call().expect(200)
  })

  it('does not hide a new account that the caller chooses', async () => {
    const application = await newApplication()
    await connect(application, 'first')
    const { call } = userOf(application)
    await isHeld(call)
    two.link.silence()
    await call('desk-list-labels', await connect(application, 'second')).expect(200)
    expect(onward.third.received.at(-1)?.headers['x-desk-key']).toBe('Token second')
  })

  it('does not hide that an account works again', async () => {
    const application = await newApplication()
    const id = await connect(application, 'first')
    const { call } = userOf(application)
    const setStatus = (status: 'active' | 'reconnect_required') =>
      onward.db.updateTable('connected_account').set({ status }).where('id', '=', String(id)).execute()
    await isHeld(call)
    await setStatus('reconnect_required')
    await eventually(async () => expect((await call().expect(400)).body.code).toBe('account_reconnect_required'), WAIT_MS)
    two.link.silence()
    await setStatus('active')
    await call().expect(200)
  })

  it('is not sent to an app that was imported again with other addresses', async () => {
    const application = await newApplication()
    const file = {
      name: 'shed',
      title: 'Shed',
      description: 'Tools.',
      base_url: '{account.url}',
      auth: { type: 'api_key', in: 'header', name: 'x-key' },
      account_settings: { url: { title: 'URL', description: 'Where the tools are.' } },
      functions: {
        'list-tools': { title: 'List tools', description: 'Lists all tools.', type: 'QUERY', request: { method: 'GET', path: '/tools' } },
      },
    }
    await admin('put', '/admin/apps/shed', { file }, two.other)
    const credentials = { url: onward.third.url, api_key: 'shed-key-0123456789' }
    await admin('post', `${pathOf(application)}/connected-accounts`, { user_id: 'joe', app: 'shed', credentials }, two.other)
    const call = () => userOf(application).call('shed-list-tools')
    await isHeld(call)
    // Imports use this link too, so only the connection of the listener falls silent.
    await two.link.hold(['pg_backend_pid() as pid'], 'request').held
    await admin('put', '/admin/apps/shed', { file: { ...file, hosts: ['files.example.com'] } }, two.other)
    expect((await call().expect(400)).body.code).toBe('account_reconnect_required')
  })

  it('is dropped as a whole by a statement that changes many accounts', async () => {
    const { send, check } = await accountCase(undefined, async () => {})
    await isHeld(send)
    await sql`insert into connected_account (app_key, user_id, app, display_name, sealed_credentials)
      select 'app-1', 'many', 'desk', 'Desk', '' from generate_series(1, 2000)`.execute(onward.db)
    await sql`update connected_account set status = 'reconnect_required'`.execute(onward.db)
    await eventually(check, WAIT_MS)
  })
})
