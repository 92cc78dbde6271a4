import { sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { migrations } from '../../src/index.ts'
import { type TestApp, useFunctions } from '../support/support.ts'

const onward = useFunctions()

beforeEach(() => {
  onward.third.received.length = 0
})

const usedKeys = () => onward.third.received.map(({ headers }) => headers['x-desk-key'])

describe('a user with several accounts of an app', () => {
  it('calls with the oldest account, or with the one in connected_account_id', async () => {
    const joe = onward.user('joe')
    const ids = [
      await joe.connect('desk', { api_key: 'first' }),
      await joe.connect('desk', { api_key: 'second' }),
      await joe.connect('desk', { api_key: 'third' }),
    ]
    await joe.call('desk-list-labels').expect(200)
    for (const id of ids) await joe.call('desk-list-labels', {}, `?connected_account_id=${id}`).expect(200)
    await joe.call('desk-list-labels', {}, '?connected_account_id=').expect(200)
    expect(usedKeys()).toEqual(['Token first', 'Token first', 'Token second', 'Token third', 'Token first'])
    const { body } = await joe.post('/calls/list').expect(200)
    const logged = body.calls.map((call: { connected_account_id: number }) => call.connected_account_id)
    expect(logged).toEqual([ids[0], ids[2], ids[1], ids[0], ids[0]])
  })

  it.each([
    [['active', 'expired'], 'Token 0'],
    [['active', 'reconnect_required'], 'Token 0'],
    [['active', 'active', 'expired', 'reconnect_required'], 'Token 0'],
    [['expired', 'active', 'active'], 'Token 1'],
    [['expired', 'active'], 'Token 1'],
    [['reconnect_required', 'expired'], 'Token 1'],
    [['expired', 'reconnect_required'], undefined],
  ])('calls with the oldest active account, or else the newest: %j', async (statuses, used) => {
    const user = onward.user(`with ${statuses}`)
    for (const [n, status] of statuses.entries()) {
      const id = await user.connect('desk', { api_key: String(n) })
      await onward.db
        .updateTable('connected_account')
        .set({ status: status as 'active' })
        .where('id', '=', String(id))
        .execute()
    }
    const { status, body } = await user.call('desk-list-labels')
    expect([status, body.code]).toEqual(used === undefined ? [400, 'account_reconnect_required'] : [200, undefined])
    expect(usedKeys()).toEqual(used === undefined ? [] : [used])
  })

  it('calls with the next account when the oldest is disconnected', async () => {
    const ann = onward.user('ann')
    const gone = await ann.connect('desk', { api_key: 'gone' })
    await ann.connect('desk', { api_key: 'kept' })
    await onward.admin('delete', `/admin/applications/app-1/connected-accounts/${gone}`).expect(200)
    await ann.call('desk-list-labels').expect(200)
    expect(usedKeys()).toEqual(['Token kept'])
  })
})

describe('an upgrade from a version that used the newest account', () => {
  it('leaves each user the account that calls have used', async () => {
    const connect = async (userId: string, ...states: readonly ('active' | 'expired' | 'preferred')[]) => {
      const ids: number[] = []
      for (const [n, state] of states.entries()) {
        const id = await onward.user(userId).connect('desk', { api_key: `${userId} ${n}` })
        const changes = state === 'preferred' ? { preferred_at: new Date() } : { status: state }
        await onward.db.updateTable('connected_account').set(changes).where('id', '=', String(id)).execute()
        ids.push(id)
      }
      return ids
    }
    await connect('up-1', 'active', 'active', 'expired')
    await connect('up-2', 'preferred', 'active')
    await connect('up-3', 'active')
    await migrations['20261126T080000Z-chosen-defaults']?.up(onward.db)
    for (const userId of ['up-1', 'up-2', 'up-3']) await onward.user(userId).call('desk-list-labels').expect(200)
    expect(usedKeys()).toEqual(['Token up-1 1', 'Token up-2 0', 'Token up-3 0'])
    const { rows } = await sql<{ id: string }>`
      select id from connected_account where user_id like 'up-%' and preferred_at is not null order by id`.execute(onward.db)
    expect(rows).toHaveLength(2)
  })
})

describe('connected_account_id', () => {
  it('is refused with the same error for every wrong value', async () => {
    const other = await onward.makeApplication('app-2')
    const pat = onward.user('pat')
    const own = await pat.connect('desk')
    const wrong = [
      await onward.user('other-user').connect('desk'),
      await onward.user('pat', other).connect('desk'),
      await pat.connect('crm'),
      ...[
        '987654321',
        '0',
        '-1',
        `-${own}`,
        `+${own}`,
        `0${own}`,
        `${own}.0`,
        `${own} `,
        '1e309',
        '9007199254740993',
        'NaN',
        'null',
        'x',
        "1' or '1'='1",
      ],
      ...['\0', '🙂', '9'.repeat(1_000)],
    ]
    const answers = await Promise.all(
      wrong.map(async (id) => (await pat.call('desk-list-labels', {}, `?connected_account_id=${encodeURIComponent(id)}`).expect(400)).body),
    )
    const [first] = answers
    expect(first).toEqual({
      error: 'you have no such connected account of Desk',
      error_details: ['connected_account_id: must be the id of one of the connected accounts of this app'],
      code: 'account_not_found',
      request_id: expect.any(String),
    })
    for (const answer of answers) expect(answer).toEqual({ ...first, request_id: expect.any(String) })
    expect(onward.third.received).toHaveLength(0)
  })

  it('is refused when it is sent twice', async () => {
    const own = await onward.user('twice').connect('desk')
    const { body } = await onward
      .user('twice')
      .call('desk-list-labels', {}, `?connected_account_id=${own}&connected_account_id=${own}`)
      .expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^connected_account_id: /)])
  })

  it('is refused in the body: it is a query parameter', async () => {
    const own = await onward.user('body').connect('desk')
    const { body } = await onward.user('body').call('desk-list-labels', { connected_account_id: own }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^connected_account_id: is not known here/)])
  })
})

describe('a user without an account', () => {
  it('gets the error account_not_connected', async () => {
    const { body } = await onward.user('nobody').call('desk-list-labels').expect(400)
    expect(body).toEqual({
      error: 'connect an account of Desk first',
      error_details: ['desk: the user has no connected account'],
      code: 'account_not_connected',
      request_id: expect.any(String),
      login_url: expect.stringMatching(/^http.*\/connect\/./),
    })
    expect((await fetch(body.login_url)).status).toBe(200)
  })

  it('cannot use an account of the same User-ID in another application', async () => {
    const other = await onward.makeApplication('app-3')
    await onward.user('shared', other).connect('desk')
    expect((await onward.user('shared').call('desk-list-labels').expect(400)).body.code).toBe('account_not_connected')
    await onward.user('shared', other).call('desk-list-labels').expect(200)
  })

  it('can call an app without authentication', async () => {
    const tom = onward.user('tom')
    expect((await tom.call('clock-get-time').expect(502)).body.code).toBe('upstream_unreachable')
    const { body } = await tom.post('/calls/list').expect(200)
    expect(body.calls).toMatchObject([{ function_name: 'clock-get-time', connected_account_id: null, outcome: 'unreachable' }])
    const refused = await tom.call('clock-get-time', {}, '?connected_account_id=1').expect(400)
    expect(refused.body.code).toBe('account_not_found')
  })
})

describe('an account that must be connected again', () => {
  it('is refused, whether or not connected_account_id names it', async () => {
    const eve = onward.user('eve')
    const id = await eve.connect('desk')
    await onward.db.updateTable('connected_account').set({ status: 'reconnect_required' }).where('user_id', '=', 'eve').execute()
    for (const query of ['', `?connected_account_id=${id}`]) {
      const { body } = await eve.call('desk-list-labels', {}, query).expect(400)
      expect(body).toEqual({
        error: 'the account of Desk must be connected again',
        error_details: ['desk: the app no longer accepts the credentials'],
        code: 'account_reconnect_required',
        request_id: expect.any(String),
        login_url: expect.stringMatching(/^http.*\/connect\/./),
      })
    }
    expect((await eve.post('/apps/desk/get').expect(200)).body.connected_accounts).toMatchObject([{ id, status: 'reconnect_required' }])
  })
})

function answer(status: number, body: unknown): void {
  onward.third.respond((_received, response) => sendJson(response, status, body))
}

async function userOf(app: TestApp) {
  const userId = `user-${Math.random()}`
  const user = onward.user(userId)
  const id = await user.connect(app)
  const called = async () => (await user.call(`${app}-passthrough-request`, { url: '/x' }).expect(200)).body
  return {
    call: async () => (await called()).network_code as number,
    refused: async () => (await called()).meta?.refused_account as unknown,
    async account() {
      const { body } = await onward.admin('get', `/admin/applications/app-1/connected-accounts?user_id=${userId}`).expect(200)
      const { status, last_error, modified_at } = body.connected_accounts[0]
      return { status, last_error, modified_at }
    },
    row: () => onward.db.selectFrom('connected_account').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow(),
  }
}

describe('an account whose key is refused', () => {
  it('says so in the result of the call, with the page on which the user connects it again', async () => {
    const { refused } = await userOf('desk')
    answer(401, { message: 'revoked' })
    for (let i = 0; i < 2; i++) {
      expect(await refused()).toEqual({ status: 'expired', login_url: expect.stringContaining('/connect/') })
    }
    answer(404, { message: 'nothing there' })
    expect(await refused()).toBeUndefined()
    answer(200, {})
    expect(await refused()).toBeUndefined()
  })

  it('becomes expired with the message of the app, and active again once the key works', async () => {
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
    ['an object with a message', { message: 'no' }, 'Desk answered 401: no'],
    ['a list of errors', { errors: [{ detail: 'no' }] }, 'Desk answered 401: no'],
    ['plain text', 'no', 'Desk answered 401: no'],
    ['a message with control characters', { message: 'a\u0000b\nc' }, 'Desk answered 401: a b c'],
    ['an HTML page', '<html>sign in</html>', 'Desk answered 401'],
    ['JSON without any text', { a: [1] }, 'Desk answered 401'],
    ['a message of 1,000 characters', { message: 'x'.repeat(1_000) }, `Desk answered 401: ${'x'.repeat(281)}`],
  ])('keeps at most 300 characters of the error when the app answers %s', async (_name, body, lastError) => {
    const { call, account } = await userOf('desk')
    answer(401, body)
    await call()
    expect(await account()).toMatchObject({ status: 'expired', last_error: lastError })
  })

  it('is not written again after further refusals, nor after errors that say nothing about the key', async () => {
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

  it('becomes expired under basic authentication too, and stays active when the app has no authentication', async () => {
    answer(401, {})
    const phone = await userOf('phone')
    await phone.call()
    expect((await phone.account()).status).toBe('expired')
    const notes = await userOf('notes')
    await notes.call()
    expect((await notes.account()).status).toBe('active')
  })
})
