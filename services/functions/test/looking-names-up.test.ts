import type { ServerResponse } from 'node:http'
import { eventually, sendJson } from '@onward/testbed'
import { useBoard } from './use-board.ts'

const using = useBoard()
const { ask, asked, boardUser, connect } = using

describe('who is asked', () => {
  it('an id stays as it is', async () => {
    expect((await ask('post-message', "post 'Hello' to channel C999XYZ")).args).toMatchObject({ channel: 'C999XYZ' })
    expect((await ask('post-message', "post 'Hello' to channel C2")).args).toMatchObject({ channel: 'C2' })
    expect((await ask('post-message', "post 'Hello' to channel townsq")).args).toMatchObject({ channel: 'townsq' })
  })

  it('nobody for variables, or without a prompt', async () => {
    const user = await boardUser()
    const { args } = await ask('post-message', "post 'Hello' to {channel}", { user, _variables: { channel: 'general' } })
    expect(args).toMatchObject({ channel: '{channel}' })
    await user.post('/functions/board-post-message/get', { _variables: { text: 'general' } }).expect(200)
    expect(asked()).toEqual([])
  })

  it('nobody for a user who has not connected the app', async () => {
    await ask('post-message', "post 'Hello' to #general", { user: using.onward.user('unconnected') })
    expect(asked()).toEqual([])
  })

  it('the app as the account that a call would use, with its token, once a minute for each account', async () => {
    const user = await boardUser()
    await connect(user, 'board-token-of-the-newest')
    await ask('post-message', "post 'Hello' to #general", { user })
    await ask('post-message', "post 'Hello' to #random", { user })
    expect(using.onward.third.received.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill('Bearer board-token-of-the-newest'),
    )
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
    await ask('post-message', "post 'Hello' to #general")
    expect(asked().length).toBe(4)
  })

  it('the app again when another account is the newest', async () => {
    const user = await boardUser()
    await ask('post-message', "post 'Hello' to #general", { user })
    await connect(user, 'board-token-of-the-newest')
    await ask('post-message', "post 'Hello' to #general", { user })
    expect(using.onward.third.received.at(-1)?.headers.authorization).toBe('Bearer board-token-of-the-newest')
  })

  it('once for two who want to know at the same time', async () => {
    const user = await boardUser()
    const [one, two] = await Promise.all([
      ask('post-message', "post 'a' to #general", { user }),
      ask('post-message', "post 'b' to #random", { user }),
    ])
    expect([one.args.channel, two.args.channel]).toEqual(['C024BE91L', 'C1'])
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })

  it('at most five pages', async () => {
    using.onward.third.answer((_got, response) =>
      sendJson(response, 200, { channels: [{ id: 'C1', name: 'random' }], next: `n${asked().length}` }),
    )
    expect((await ask('post-message', "post 'Hello' to #random")).args).toMatchObject({ channel: 'C1' })
    expect(asked().length).toBe(5)
  })
})

describe('an app that answers with everything at once', () => {
  it('is heard for the first thousand', async () => {
    const topics = Array.from({ length: 200_000 }, (_, at) => `Team-${at}x`)
    using.onward.third.answer((_got, response) => sendJson(response, 200, topics))
    expect((await ask('set-topic', 'set the topic to team 999x')).args).toEqual({ topic: 'Team-999x' })
    expect((await ask('set-topic', 'set the topic to team 1000x')).args).not.toEqual({ topic: 'Team-1000x' })
  })
})

describe('an app that does not help', () => {
  it.each<[string, number, unknown]>([
    ['an error', 500, {}],
    ['no access', 403, { error: 'missing scope' }],
    ['no list', 200, { channels: 'none' }],
    ['other things', 200, { channels: [null, 5, { id: {}, name: [] }] }],
    ['nothing to read', 200, undefined],
  ])('by answering %s does not fail the prediction', async (_what, status, answer) => {
    using.onward.third.answer((_got, response) => sendJson(response, status, answer))
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('by breaking off does not either', async () => {
    using.onward.third.answer((_got, response) => void response.socket?.destroy())
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('by not answering holds the prediction up for three seconds', async () => {
    using.onward.third.answer(() => {})
    const begun = Date.now()
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
    expect(Date.now() - begun).toBeLessThan(6_000)
  })
})

describe('what an app answered', () => {
  afterEach(() => void jest.restoreAllMocks())

  const now = performance.now.bind(performance)
  /** As if the clock that is held by were so far on. */
  const setOn = (ms: number) => void jest.spyOn(performance, 'now').mockImplementation(() => now() + ms)

  const page = (channels: readonly string[], next: string | null) => ({
    channels: channels.map((name) => ({ id: `C-${name}`, name })),
    next,
  })

  it('is held for a minute when it is a list, to the end', async () => {
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
  ])('is held for five seconds when it is a failure on %s', async (_what, failing) => {
    using.onward.third.answer((_got, response) => {
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

  it('is used as far as it came in three seconds, and held for five', async () => {
    using.onward.third.answer((_got, response) => {
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

describe('a list of names of which a page did not come', () => {
  const answer = (later: (response: ServerResponse) => void) =>
    using.onward.third.answer((_got, response) => {
      if (asked().length > 1) return later(response)
      sendJson(response, 200, { channels: [{ id: 'C-europe', name: 'Sales Europe' }], next: 'more' })
    })

  it('in time gives no id to what only one label begins with', async () => {
    answer(() => {})
    expect((await ask('post-message', "post 'Hello' to the sales channel")).args).toEqual({ text: 'Hello' })
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })

  it.each([
    ['gives none either to what is near to a label', "post 'Hello' to the sales europ channel", undefined],
    ['leaves a name that is not in it as the prompt gave it', "post 'Hello' to #sales", '#sales'],
    ['gives the id of a label that is in it', "post 'Hello' to the Sales Europe channel", 'C-europe'],
  ])('%s', async (_what, prompt, channel) => {
    answer((response) => sendJson(response, 500, {}))
    expect((await ask('post-message', prompt)).args.channel).toBe(channel)
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
  })
})

describe('the calls log', () => {
  it('has each internal call for who asks for them, and none of them counts', async () => {
    const user = await boardUser()
    const before = await using.onward.rows()
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
    const after = await using.onward.rows()
    expect([after.call_log - before.call_log, after.call_attempt, after.outbox - before.outbox]).toEqual([1, 0, 0])
    expect(await using.onward.counted(internal.id)).toBe(false)
  })
})
