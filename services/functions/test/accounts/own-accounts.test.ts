import { eventually, sendJson } from '@onward/testbed'
import request from 'supertest'
import { connectedId, useShelf } from '../support/connecting.ts'

const { onward, shelf, openShelf } = useShelf()

type Listed = { readonly id: number; readonly app: string; readonly is_default: boolean }

const list = async (userId: string, body: object = {}): Promise<Listed[]> =>
  (await onward.user(userId).post('/connected-accounts/list', body).expect(200)).body.connected_accounts
const rename = (userId: string, id: number | string, display_name: unknown) =>
  request(onward.url).patch(`/connected-accounts/${id}`).set(onward.user(userId).headers).send({ display_name })
const prefer = (userId: string, id: number | string) =>
  onward.user(userId).post(`/connected-accounts/${id}/set_as_default?authorization_type=x`, { any: 'thing' })
const setStatus = (id: number, status: 'active' | 'expired' | 'reconnect_required') =>
  onward.db.updateTable('connected_account').set({ status }).where('id', '=', String(id)).execute()
/** Returns the account with which the last call was made. */
async function usedBy(userId: string): Promise<number> {
  await onward.user(userId).call('desk-list-labels').expect(200)
  const { body } = await onward.user(userId).post('/calls/list').expect(200)
  return body.calls[0].connected_account_id
}

describe('POST /connected-accounts/list', () => {
  it("lists the caller's own accounts, newest first, of all apps or of one", async () => {
    const joe = onward.user('joe')
    const first = await joe.connect('desk')
    const crm = await joe.connect('crm')
    const second = await joe.connect('desk')
    await onward.user('ann').connect('desk')
    await onward.user('joe', await onward.makeApplication('app-2')).connect('desk')
    const ids = async (body: object) => (await list('joe', body)).map(({ id }) => id)
    expect(await ids({})).toEqual([second, crm, first])
    expect(await ids({ app: 'Desk' })).toEqual([second, first])
    expect(await ids({ app: 'unknown' })).toEqual([])
    expect((await list('joe'))[1]).toEqual({
      id: crm,
      app: 'crm',
      display_name: 'Crm',
      status: 'active',
      last_error: null,
      is_default: true,
      modified_at: expect.stringMatching(/Z$/),
    })
  })
})

describe('POST /connected-accounts/:id/set_as_default', () => {
  it('makes calls use the account in place of another one of the app', async () => {
    onward.third.respond((_received, response) => sendJson(response, 200, {}))
    const user = onward.user('preferring')
    const [a, b, c] = [await user.connect('desk'), await user.connect('desk'), await user.connect('desk')]
    const crm = await user.connect('crm')
    expect((await prefer('preferring', crm).expect(200)).body.id).toBe(crm)
    for (const id of [c, b]) {
      expect((await prefer('preferring', id).expect(200)).body).toMatchObject({ id, status: 'active' })
      expect(await usedBy('preferring')).toBe(id)
      const defaults = (await list('preferring')).filter(({ is_default }) => is_default).map((account) => account.id)
      expect(defaults).toEqual([crm, id])
    }
    await setStatus(b, 'expired')
    await eventually(async () => expect(await usedBy('preferring')).toBe(a))
    await setStatus(b, 'active')
    await eventually(async () => expect(await usedBy('preferring')).toBe(b))
  })

  it('remains when the account is connected again', async () => {
    const first = await openShelf('loyal')
    const id = connectedId(await first.browser.submit(first.page, shelf()))
    await prefer('loyal', id).expect(200)
    const second = await openShelf('loyal')
    expect(connectedId(await second.browser.submit(second.page, shelf()))).toBe(id)
    const row = await onward.db.selectFrom('connected_account').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow()
    expect(row.preferred_at).toBeInstanceOf(Date)
  })
})

describe('PATCH /connected-accounts/:id', () => {
  it('renames the account, which keeps the name when it is connected again', async () => {
    const first = await openShelf('renaming')
    const id = connectedId(await first.browser.submit(first.page, shelf()))
    expect((await rename('renaming', id, ' My\u0007shelf\u202e ').expect(200)).body).toMatchObject({ id, display_name: 'My shelf' })
    const second = await openShelf('renaming')
    expect(connectedId(await second.browser.submit(second.page, shelf()))).toBe(id)
    expect(await list('renaming')).toMatchObject([{ id, display_name: 'My shelf' }])
  })

  it.each([[''], [' \u0007 '], ['x'.repeat(201)], [7], [undefined]])('refuses the name %j', async (name) => {
    const id = await onward.user('joe').connect('desk')
    const { body } = await rename('joe', id, name).expect(400)
    expect(body.error_details[0]).toMatch(/^display_name: /)
  })
})

it('answers 404 to a change of an account of another user or application, and for any other id', async () => {
  const id = await onward.user('owner').connect('desk')
  const other = onward.user('owner', await onward.makeApplication('app-3'))
  const answers = [
    ...(await Promise.all([id, 0, 'x', '9'.repeat(30), '1.5'].map((each) => prefer('stranger', each)))),
    ...(await Promise.all([id, 0, 'x', '9'.repeat(30)].map((each) => rename('stranger', each, 'Mine')))),
    await other.post(`/connected-accounts/${id}/set_as_default`),
  ]
  for (const { status, body } of answers) expect([status, body.code]).toEqual([404, 'connected_account_not_found'])
  expect(await list('owner')).toMatchObject([{ id, display_name: 'Desk' }])
})
