import { sendJson } from '@onward/testbed'
import { type Functions, openFunctions, type TestApp } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openFunctions()
})

function answer(status: number, body: unknown): void {
  onward.third.answer((_received, response) => sendJson(response, status, body))
}

async function userOf(app: TestApp) {
  const userId = `user-${Math.random()}`
  const user = onward.user(userId)
  const id = await user.connect(app)
  return {
    call: async () => (await user.call(`${app}-passthrough-request`, { url: '/x' }).expect(200)).body.network_code as number,
    async account() {
      const { body } = await onward.admin('get', `/admin/applications/app-1/connected-accounts?user_id=${userId}`).expect(200)
      const { status, last_error, modified_at } = body.connected_accounts[0]
      return { status, last_error, modified_at }
    },
    row: () => onward.db.selectFrom('connected_account').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow(),
  }
}

describe('an account whose key is refused', () => {
  it('has expired, says what the app said, and is active again when the key works again', async () => {
    const { call, account } = await userOf('desk')
    const connected = await account()
    expect(connected).toMatchObject({ status: 'active', last_error: null })
    answer(401, { error: { code: 17, message: 'This key desk-key-0123456789 was revoked' } })
    expect(await call()).toBe(401)
    const expired = await account()
    expect(expired).toMatchObject({ status: 'expired', last_error: 'Desk answered 401: This key [redacted] was revoked' })
    expect(Date.parse(expired.modified_at)).toBeGreaterThan(Date.parse(connected.modified_at))
    answer(200, {})
    expect(await call()).toBe(200)
    expect(await account()).toMatchObject({ status: 'active', last_error: null })
  })

  it.each<[string, unknown, string]>([
    ['a message', { message: 'no' }, 'Desk answered 401: no'],
    ['a list of errors', { errors: [{ detail: 'no' }] }, 'Desk answered 401: no'],
    ['a text', 'no', 'Desk answered 401: no'],
    ['a text that no table can hold', { message: 'a\u0000b\nc' }, 'Desk answered 401: a b c'],
    ['a page', '<html>sign in</html>', 'Desk answered 401'],
    ['nothing to read', { a: [1] }, 'Desk answered 401'],
    ['far too much', { message: 'x'.repeat(1_000) }, `Desk answered 401: ${'x'.repeat(281)}`],
  ])('with %s says so in at most 300 characters', async (_name, body, lastError) => {
    const { call, account } = await userOf('desk')
    answer(401, body)
    await call()
    expect(await account()).toMatchObject({ status: 'expired', last_error: lastError })
  })

  it('is not written again by further refusals, nor by what says nothing of the key', async () => {
    const { call, row } = await userOf('desk')
    for (const status of [403, 500, 404, 301]) {
      answer(status, { message: 'no' })
      await call()
    }
    const untouched = await row()
    expect(untouched).toMatchObject({ status: 'active', last_error: null, version: '1' })
    answer(401, { message: 'first' })
    await call()
    const expired = await row()
    answer(401, { message: 'second' })
    await call()
    expect(await row()).toEqual(expired)
  })

  it('is told for an app with basic authentication too, and an app without any has no state', async () => {
    answer(401, {})
    const phone = await userOf('phone')
    await phone.call()
    expect((await phone.account()).status).toBe('expired')
    const notes = await userOf('notes')
    await notes.call()
    expect((await notes.account()).status).toBe('active')
  })
})
