import { type Functions, openFunctions } from './support.ts'

let onward: Functions

beforeAll(async () => {
  onward = await openFunctions()
})
beforeEach(() => {
  onward.third.received.length = 0
})

const usedKeys = () => onward.third.received.map(({ headers }) => headers['x-desk-key'])

describe('a user with several accounts of an app', () => {
  it('uses the one connected last, or the one that connected_account_id names', async () => {
    const joe = onward.user('joe')
    const ids = [
      await joe.connect('desk', { api_key: 'first' }),
      await joe.connect('desk', { api_key: 'second' }),
      await joe.connect('desk', { api_key: 'third' }),
    ]
    await joe.call('desk-list-labels').expect(200)
    for (const id of ids) await joe.call('desk-list-labels', {}, `?connected_account_id=${id}`).expect(200)
    await joe.call('desk-list-labels', {}, '?connected_account_id=').expect(200)
    expect(usedKeys()).toEqual(['Token third', 'Token first', 'Token second', 'Token third', 'Token third'])
    const { body } = await joe.post('/calls/list').expect(200)
    const logged = body.calls.map((call: { connected_account_id: number }) => call.connected_account_id)
    expect(logged).toEqual([ids[2], ids[2], ids[1], ids[0], ids[2]])
  })

  it('uses the one before when the last is disconnected', async () => {
    const ann = onward.user('ann')
    await ann.connect('desk', { api_key: 'kept' })
    const gone = await ann.connect('desk', { api_key: 'gone' })
    await onward.admin('delete', `/admin/applications/app-1/connected-accounts/${gone}`).expect(200)
    await ann.call('desk-list-labels').expect(200)
    expect(usedKeys()).toEqual(['Token kept'])
  })
})

describe('connected_account_id', () => {
  it('is refused in the same words whatever is wrong with it', async () => {
    const other = await onward.makeApplication('app-2')
    const pat = onward.user('pat')
    const own = await pat.connect('desk')
    const wrong = [
      await onward.user('somebody').connect('desk'),
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
    })
    for (const answer of answers) expect(answer).toEqual(first)
    expect(onward.third.received).toHaveLength(0)
  })

  it('is refused when it comes twice', async () => {
    const own = await onward.user('twice').connect('desk')
    const { body } = await onward
      .user('twice')
      .call('desk-list-labels', {}, `?connected_account_id=${own}&connected_account_id=${own}`)
      .expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^connected_account_id: /)])
  })

  it('is a query parameter, not one of the body', async () => {
    const own = await onward.user('body').connect('desk')
    const { body } = await onward.user('body').call('desk-list-labels', { connected_account_id: own }).expect(400)
    expect(body.error_details).toEqual([expect.stringMatching(/^connected_account_id: is not known here/)])
  })
})

describe('a user without an account', () => {
  it('is told to connect one', async () => {
    const { body } = await onward.user('nobody').call('desk-list-labels').expect(400)
    expect(body).toEqual({ error: 'connect an account of Desk first', error_details: [], code: 'account_not_connected' })
  })

  it('of an application does not use that of another application', async () => {
    const other = await onward.makeApplication('app-3')
    await onward.user('shared', other).connect('desk')
    expect((await onward.user('shared').call('desk-list-labels').expect(400)).body.code).toBe('account_not_connected')
    await onward.user('shared', other).call('desk-list-labels').expect(200)
  })

  it('can call an app that needs none', async () => {
    const tom = onward.user('tom')
    expect((await tom.call('clock-get-time').expect(502)).body.code).toBe('upstream_unreachable')
    const { body } = await tom.post('/calls/list').expect(200)
    expect(body.calls).toMatchObject([{ function_name: 'clock-get-time', connected_account_id: null, outcome: 'unreachable' }])
    const refused = await tom.call('clock-get-time', {}, '?connected_account_id=1').expect(400)
    expect(refused.body.code).toBe('account_not_found')
  })
})

describe('an account that must be connected again', () => {
  it('is refused, chosen or not', async () => {
    const eve = onward.user('eve')
    const id = await eve.connect('desk')
    await onward.db.updateTable('connected_account').set({ status: 'reconnect_required' }).where('user_id', '=', 'eve').execute()
    for (const query of ['', `?connected_account_id=${id}`]) {
      const { body } = await eve.call('desk-list-labels', {}, query).expect(400)
      expect(body).toEqual({ error: 'the account of Desk must be connected again', error_details: [], code: 'account_reconnect_required' })
    }
    expect((await eve.post('/apps/desk/get').expect(200)).body.connected_accounts).toMatchObject([{ id, status: 'reconnect_required' }])
  })
})
