import { eventually, type Link, openLink } from '@onward/testbed'
import { sql } from 'kysely'
import request from 'supertest'
import { ADMIN_TOKEN, hashOf, useFunctions } from './support.ts'

export const WAIT_MS = 25_000

export type Process = { readonly url: string; readonly internalUrl: string }
export type Application = { readonly appKey: string; readonly secret: string }

/** `send` succeeds until `change`, which the given process makes. Then `check` passes once the second process knows of the change. */
export type Case = {
  readonly send: () => request.Test
  readonly change: (process: Process) => Promise<unknown>
  readonly check: () => Promise<unknown>
}

/** Starts two processes with one database, and makes users and changes of what they hold in memory. */
export function useTwoProcesses() {
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
  function admin(
    method: 'put' | 'post' | 'delete',
    path: string,
    body: object = {},
    { internalUrl }: Pick<Process, 'internalUrl'> = onward,
  ) {
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
      'an application that was suspended',
      () =>
        applicationCase(403, async ({ appKey }, process) => {
          const body = { workspace_id: 'workspace-1', app_key: appKey, state: 'suspended', reason: 'Unpaid.' }
          return await admin('put', '/admin/suspensions', body, process)
        }),
    ],
    [
      'an account that its user disconnected',
      () => accountCase('new', (application, process, [id]) => userOf(application, process).disconnect(id)),
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
      () => accountCase('new', (application, process, [, id]) => userOf(application, process).prefer(id)),
    ],
  ]

  return {
    onward,
    userOf,
    admin,
    pathOf,
    newApplication,
    rotate,
    connect,
    isHeld,
    accountCase,
    cases,
    get link() {
      return link
    },
    get other() {
      return other
    },
  }
}
