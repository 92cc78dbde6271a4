import type { ServerResponse } from 'node:http'
import { eventually, sendJson } from '@onward/testbed'
import type { User } from '../support/support.ts'
import { useBoard } from '../support/use-board.ts'

const { ask, asked, boardUser, connect, onward } = useBoard()

/** Makes the account that was connected last the default. */
async function preferNewest(user: User): Promise<void> {
  const { body } = await user.post('/connected-accounts/list', {}).expect(200)
  await user.post(`/connected-accounts/${body.connected_accounts[0].id}/set_as_default`).expect(200)
}

describe('looking up a name', () => {
  it('keeps an id unchanged', async () => {
    expect((await ask('post-message', "post 'Hello' to channel C999XYZ")).args).toMatchObject({ channel: 'C999XYZ' })
    expect((await ask('post-message', "post 'Hello' to channel C2")).args).toMatchObject({ channel: 'C2' })
    expect((await ask('post-message', "post 'Hello' to channel townsq")).args).toMatchObject({ channel: 'townsq' })
  })

  it('calls no app for variables or without a prompt', async () => {
    const user = await boardUser()
    const { args } = await ask('post-message', "post 'Hello' to {channel}", { user, _variables: { channel: 'general' } })
    expect(args).toMatchObject({ channel: '{channel}' })
    await user.post('/functions/board-post-message/get', { _variables: { text: 'general' } }).expect(200)
    expect(asked()).toEqual([])
  })

  it('calls no app that the user has not connected', async () => {
    await ask('post-message', "post 'Hello' to #general", { user: onward.user('unconnected') })
    expect(asked()).toEqual([])
  })

  it('calls no function that the rules of the application do not allow', async () => {
    const store = (rules: readonly object[]) =>
      onward.admin('put', `/admin/applications/${onward.application.appKey}/policy`, { rules }).expect(200)
    await store([{ functions: ['board-list-channels'], result: 'ask' }])
    const { args } = await ask('post-message', "post 'Hello' to #general")
    await store([])
    expect([args.channel, asked()]).toEqual(['#general', []])
  })

  it('calls the app with the account that a call would use, once a minute for each account', async () => {
    const user = await boardUser()
    await connect(user, 'board-token-of-the-newest')
    await preferNewest(user)
    await ask('post-message', "post 'Hello' to #general", { user })
    await ask('post-message', "post 'Hello' to #random", { user })
    expect(onward.third.received.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer board-token-of-the-newest'))
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
    await ask('post-message', "post 'Hello' to #general")
    expect(asked().length).toBe(4)
  })

  it('calls the app again when another account becomes the default', async () => {
    const user = await boardUser()
    await ask('post-message', "post 'Hello' to #general", { user })
    await connect(user, 'board-token-of-the-newest')
    await preferNewest(user)
    await ask('post-message', "post 'Hello' to #general", { user })
    expect(onward.third.received.at(-1)?.headers.authorization).toBe('Bearer board-token-of-the-newest')
  })

  it('calls the app once for two requests at the same time', async () => {
    const user = await boardUser()
    const [one, two] = await Promise.all([
      ask('post-message', "post 'a' to #general", { user }),
      ask('post-message', "post 'b' to #random", { user }),
    ])
    expect([one.args.channel, two.args.channel]).toEqual(['C024BE91L', 'C1'])
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })

  it('reads at most five pages', async () => {
    onward.third.respond((_got, response) =>
      sendJson(response, 200, { channels: [{ id: 'C1', name: 'random' }], next: `n${asked().length}` }),
    )
    expect((await ask('post-message', "post 'Hello' to #random")).args).toMatchObject({ channel: 'C1' })
    expect(asked().length).toBe(5)
  })
})

describe('looking up a name in an app without paging', () => {
  it('uses the first thousand options', async () => {
    const topics = Array.from({ length: 200_000 }, (_, at) => `Team-${at}x`)
    onward.third.respond((_got, response) => sendJson(response, 200, topics))
    expect((await ask('set-topic', 'set the topic to team 999x')).args).toEqual({ topic: 'Team-999x' })
    expect((await ask('set-topic', 'set the topic to team 1000x')).args).not.toEqual({ topic: 'Team-1000x' })
  })
})

describe('looking up a name in a failing app', () => {
  it.each<[string, number, unknown]>([
    ['an error', 500, {}],
    ['a refusal', 403, { error: 'missing scope' }],
    ['something other than a list', 200, { channels: 'none' }],
    ['items without id and name', 200, { channels: [null, 5, { id: {}, name: [] }] }],
    ['an empty body', 200, undefined],
  ])('does not fail the prediction when the app answers with %s', async (_what, status, answer) => {
    onward.third.respond((_got, response) => sendJson(response, status, answer))
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('does not fail the prediction when the app closes the connection', async () => {
    onward.third.respond((_got, response) => void response.socket?.destroy())
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('delays the prediction by about three seconds when the app does not answer', async () => {
    onward.third.respond(() => {})
    const begun = Date.now()
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
    expect(Date.now() - begun).toBeLessThan(6_000)
  })
})

describe('the options of an app', () => {
  afterEach(() => void jest.restoreAllMocks())

  const now = performance.now.bind(performance)
  /** Moves the clock of the cache forward. */
  const setOn = (ms: number) => void jest.spyOn(performance, 'now').mockImplementation(() => now() + ms)

  const page = (channels: readonly string[], next: string | null) => ({
    channels: channels.map((name) => ({ id: `C-${name}`, name })),
    next,
  })

  it('are cached for a minute when they are complete', async () => {
    const user = await boardUser()
    const channel = async () => (await ask('post-message', "post 'Hello' to #general", { user })).args.channel
    expect(await channel()).toBe('C024BE91L')
    setOn(50_000)
    expect(await channel()).toBe('C024BE91L')
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
    setOn(61_000)
    expect(await channel()).toBe('C024BE91L')
    expect(asked().length).toBe(4)
  })

  it.each([
    ['the first page', 1],
    ['a later page', 2],
  ])('are cached for five seconds after a failure on %s', async (_what, failing) => {
    onward.third.respond((_got, response) => {
      const number = asked().length
      if (number === failing) return sendJson(response, 500, {})
      return sendJson(response, 200, number === 1 ? page(['random'], 'more') : page(['general'], null))
    })
    const user = await boardUser()
    const channel = async () => (await ask('post-message', "post 'Hello' to #general", { user })).args.channel
    expect(await channel()).not.toBe('C-general')
    setOn(2_000)
    expect(await channel()).not.toBe('C-general')
    expect(asked().length).toBe(failing)
    setOn(6_000)
    expect(await channel()).toBe('C-general')
    expect(asked().length).toBe(failing + 1)
  })

  it('are used as far as they arrived in three seconds, and cached for five', async () => {
    onward.third.respond((_got, response) => {
      const number = asked().length
      if (number !== 2) sendJson(response, 200, number === 1 ? page(['random'], 'more') : page(['general'], null))
    })
    const user = await boardUser()
    const channel = async (name: string) => (await ask('post-message', `post 'Hello' to #${name}`, { user })).args.channel
    expect(await channel('general')).toBe('#general')
    expect(await channel('random')).toBe('C-random')
    expect(await channel('general')).toBe('#general')
    expect(asked().length).toBe(2)
    setOn(6_000)
    expect(await channel('general')).toBe('C-general')
  })
})

describe('looking up a name when a page of options is missing', () => {
  const answer = (later: (response: ServerResponse) => void) =>
    onward.third.respond((_got, response) => {
      if (asked().length > 1) return later(response)
      sendJson(response, 200, { channels: [{ id: 'C-europe', name: 'Sales Europe' }], next: 'more' })
    })

  it('does not complete the beginning of a label after a timeout', async () => {
    answer(() => {})
    expect((await ask('post-message', "post 'Hello' to the sales channel")).args).toEqual({ text: 'Hello' })
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })

  it.each([
    ['does not match a similar label', "post 'Hello' to the sales europ channel", undefined],
    ['keeps a name that was not found as written', "post 'Hello' to #sales", '#sales'],
    ['returns the id of a label that was found', "post 'Hello' to the Sales Europe channel", 'C-europe'],
  ])('%s', async (_what, prompt, channel) => {
    answer((response) => sendJson(response, 500, {}))
    expect((await ask('post-message', prompt)).args.channel).toBe(channel)
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })
})

describe('the calls log of name look-ups', () => {
  it('lists internal calls on request, and does not count them', async () => {
    const user = await boardUser()
    const before = await onward.rows()
    await ask('post-message', "post 'Hello' to #general", { user })
    const list = async (filter: object) => (await user.post('/calls/list', filter).expect(200)).body.calls
    const [internal, ...others] = await eventually(async () => {
      const calls = await list({ internal: true })
      expect(calls).toHaveLength(1)
      return calls
    })
    expect(others).toEqual([])
    expect(internal).toMatchObject({ function_name: 'board-list-channels', outcome: 'answered', network_code: 200, internal: true })
    expect(await list({})).toEqual([])
    expect(await list({ internal: false })).toEqual([])
    await user.post(`/calls/${internal.id}/get`).expect(200)
    const after = await onward.rows()
    expect([after.call_log - before.call_log, after.call_attempt, after.outbox - before.outbox]).toEqual([1, 0, 0])
    expect(await onward.counted(internal.id)).toBe(false)
  })
})
