import { eventually, type Link, openLink, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { connectedId, openBrowser, type Page } from './connecting.ts'
import { ADMIN_TOKEN, hashOf, useFunctions } from './support.ts'

// The machine may be busy, and some tests wait for it twice.
jest.setTimeout(90_000)
const WAIT_MS = 25_000
const BACK = 'https://acme.example/done'

const onward = useFunctions()
let link: Link
let other: Awaited<ReturnType<typeof onward.startAnother>>
let made = 0

beforeAll(async () => {
  // The link only disturbs the connection of the second process that listens.
  link = await openLink(onward.suite.databaseUrl, 'listen ')
  other = await onward.startAnother({ databaseDirectUrl: link.url })
})
afterEach(() => {
  link.set({ kind: 'normal' })
  link.heal()
})
afterAll(async () => {
  await onward.close()
  await link.close()
})

type Process = { readonly url: string; readonly internalUrl: string }
type Application = { readonly appKey: string; readonly secret: string }

/** Requests of one user to a process, by default the second one. */
function userOf({ appKey, secret }: Application, { url }: Pick<Process, 'url'> = other) {
  const headers = { 'App-Key': appKey, 'User-ID': 'joe', Hash: hashOf(secret, 'joe') }
  const post = (path: string) => request(url).post(path).set(headers).send({})
  return {
    list: () => post('/functions/list'),
    app: () => post('/apps/desk/get'),
    manage: () => post('/connect/session').send({ manage: true }),
    confirm: (id: number, confirmation: string) => post(`/connected-accounts/${id}/confirm`).send({ confirmation }).expect(200),
    call: (name = 'desk-list-labels', accountId?: number) =>
      post(`/functions/${name}/call`).query(accountId === undefined ? {} : { connected_account_id: accountId }),
    prefer: (id: number) => post(`/connected-accounts/${id}/set_as_default`).expect(200),
    disconnect: (id: number) => request(url).delete(`/connected-accounts/${id}`).set(headers).expect(200),
  }
}

/** Sends a request to the admin API, by default of the first process. */
function admin(method: 'put' | 'post' | 'delete', path: string, body: object = {}, { internalUrl }: Pick<Process, 'internalUrl'> = onward) {
  return request(internalUrl)[method](path).set('authorization', `Bearer ${ADMIN_TOKEN}`).send(body).expect(200)
}

const pathOf = ({ appKey }: Application) => `/admin/applications/${appKey}`
const newApplication = () => onward.makeApplication(`held-${++made}`)

/** Replaces the secret and returns the new one. */
async function rotate(application: Application, hours = 0, process?: Process): Promise<string> {
  return (await admin('post', `${pathOf(application)}/rotate-secret`, { keep_previous_hours: hours }, process)).body.app_secret
}

/** Connects an account with this key and returns its id. */
async function connect(application: Application, key: string, process?: Process): Promise<number> {
  const credentials = { url: onward.third.url, api_key: key }
  const account = { user_id: 'joe', app: 'desk', credentials }
  return (await admin('post', `${pathOf(application)}/connected-accounts`, account, process)).body.id
}

/** Connects an account on the page of the app, as the user does. Returns the last page. */
async function connectOnPage(application: Application, key: string, process: Process): Promise<Page> {
  const { body } = await userOf(application, process).app().expect(200)
  const browser = openBrowser(process)
  const form = await browser.open(`${body.login_url}?redirect_uri=${encodeURIComponent(BACK)}`)
  return await browser.submit(form, { api_key: key, url: onward.third.url })
}

/** Waits until `request` succeeds although nothing can be read from the tables of applications and accounts. */
async function isHeld(send: () => request.Test): Promise<void> {
  await eventually(async () => {
    await send().expect(200)
    await onward.db.transaction().execute(async (tx) => {
      await sql`lock table application, connected_account in access exclusive mode`.execute(tx)
      await send().timeout(1_000).expect(200)
    })
  }, WAIT_MS)
}

/** `send` succeeds until `change`, which the given process makes. Then `check` passes once the second process knows of the change. */
type Case = {
  readonly send: () => request.Test
  readonly change: (process: Process) => Promise<unknown>
  readonly check: () => Promise<unknown>
}

async function applicationCase(status: number, change: (application: Application, process: Process) => Promise<unknown>): Promise<Case> {
  const application = await newApplication()
  const { list } = userOf(application)
  const check = async () => {
    // The first request of a minute is within every limit.
    await list()
    await list().expect(status)
  }
  return { send: list, change: (process) => change(application, process), check }
}

/** The user has the accounts `old` and `new`. Calls are made with the newer one, and with `used` after the change. */
async function accountCase(
  used: string | undefined,
  change: (application: Application, process: Process, ids: readonly [number, number]) => Promise<unknown>,
): Promise<Case> {
  const application = await newApplication()
  const ids = [await connect(application, 'old'), await connect(application, 'new')] as const
  const { call } = userOf(application)
  const check = async () => {
    onward.third.received.length = 0
    await call()
    expect(onward.third.received.map(({ headers }) => headers['x-desk-key'])).toEqual(used === undefined ? [] : [`Token ${used}`])
  }
  return { send: call, change: (process) => change(application, process, ids), check }
}

const cases: [string, () => Promise<Case>][] = [
  ['a secret that was replaced', () => applicationCase(401, (application, process) => rotate(application, 0, process))],
  [
    'an application that was deleted',
    () => applicationCase(401, (application, process) => admin('delete', pathOf(application), {}, process)),
  ],
  [
    'an application whose rate limit was lowered',
    () =>
      applicationCase(429, async (application, process) => {
        const body = { workspace_id: 'workspace-1', name: 'Changed', user_rate_limit: 1 }
        return await admin('put', pathOf(application), body, process)
      }),
  ],
  [
    'an account that its user disconnected',
    () => accountCase('old', (application, process, [, id]) => userOf(application, process).disconnect(id)),
  ],
  [
    'accounts that the operator disconnected',
    () =>
      accountCase(undefined, async (application, process, ids) => {
        for (const id of ids) await admin('delete', `${pathOf(application)}/connected-accounts/${id}`, {}, process)
      }),
  ],
  [
    'a default account that was replaced by another one',
    () => accountCase('old', (application, process, [id]) => userOf(application, process).prefer(id)),
  ],
  ['an account that is no longer the newest', () => accountCase('third', (application, process) => connect(application, 'third', process))],
]

/** Changes that a process makes on its pages, or when it calls an app. */
const furtherCases: typeof cases = [
  ['an account that the app refused', () => accountCase('old', refuse)],
  [
    'accounts to which the user has added one',
    () => accountCase('third', (application, process) => connectConfirmed(false, application, process)),
  ],
  [
    'accounts to which the application has added one',
    () => accountCase('third', (application, process) => connectConfirmed(true, application, process)),
  ],
  ['a default account that was replaced on a page', () => accountCase('old', preferOnPage)],
]

async function refuse(application: Application, process: Process): Promise<void> {
  onward.third.answer((_received, response) => sendJson(response, 401, {}))
  await userOf(application, process).call().expect(200)
  onward.third.answer((_received, response) => sendJson(response, 200, {}))
}

async function connectConfirmed(confirms: boolean, application: Application, process: Process): Promise<void> {
  const settings = { workspace_id: 'workspace-1', name: 'Changed', confirm_accounts: confirms, allowed_redirects: [BACK] }
  await admin('put', pathOf(application), settings, process)
  const page = await connectOnPage(application, 'third', process)
  if (!confirms) return
  // The call fills the memory again with what it was before.
  await userOf(application, process).call().expect(200)
  const confirmation = /confirmation: "([\w-]{43})"/.exec(page.text)?.[1] ?? 'none'
  await userOf(application, process).confirm(connectedId(page), confirmation)
}

async function preferOnPage(application: Application, process: Process): Promise<void> {
  const { body } = await userOf(application, process).manage().expect(200)
  const browser = openBrowser(process)
  expect((await browser.submit(await browser.open(body.url))).status).toBe(303)
}

describe('what a process holds in memory', () => {
  describe.each<[string, () => void, () => void]>([
    ['that notifies the others', () => {}, () => {}],
    ['whose notifications do not arrive', () => link.silence(), () => link.heal()],
    ['while this one cannot listen', () => link.set({ kind: 'reset' }), () => link.set({ kind: 'normal' })],
  ])('does not outlast the change of another process %s', (_when, disturb, mend) => {
    it.each(cases)('%s', async (_what, make) => {
      const { send, change, check } = await make()
      await isHeld(send)
      disturb()
      await change(onward)
      await eventually(check, WAIT_MS)
      mend()
      await eventually(check, WAIT_MS)
    })
  })

  it.each([...cases, ...furtherCases])('does not outlast a change of its own, also without a notification: %s', async (_what, make) => {
    const { send, change, check } = await make()
    await isHeld(send)
    // For a moment, the value in memory is still considered current.
    link.silence()
    await change(other)
    await check()
  })

  it('accepts a new secret at once, and the previous one until it expires', async () => {
    const application = await newApplication()
    await isHeld(userOf(application).list)
    link.silence()
    const secret = await rotate(application, 3 / 3_600)
    const { list } = userOf({ ...application, secret })
    await list().expect(200)
    link.heal()
    await isHeld(list)
    await eventually(() => userOf(application).list().expect(401), WAIT_MS)
    await list().expect(200)
  })

  it('does not hide a new account', async () => {
    const application = await newApplication()
    const { call } = userOf(application)
    expect((await call().expect(400)).body.code).toBe('account_not_connected')
    link.silence()
    await connect(application, 'first')
    await call().expect(200)
  })

  it('does not hide a new account that the caller chooses', async () => {
    const application = await newApplication()
    await connect(application, 'first')
    const { call } = userOf(application)
    await isHeld(call)
    link.silence()
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
    link.silence()
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
    await admin('put', '/admin/apps/shed', { file }, other)
    const credentials = { url: onward.third.url, api_key: 'shed-key-0123456789' }
    await admin('post', `${pathOf(application)}/connected-accounts`, { user_id: 'joe', app: 'shed', credentials }, other)
    const call = () => userOf(application).call('shed-list-tools')
    await isHeld(call)
    // Imports use this link too, so only the connection of the listener falls silent.
    await link.hold(['pg_backend_pid() as pid'], 'request').held
    await admin('put', '/admin/apps/shed', { file: { ...file, hosts: ['files.example.com'] } }, other)
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
