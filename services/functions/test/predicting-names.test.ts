import { eventually, sendJson } from '@onward/testbed'
import { findLabel } from '../src/predict/names/find-label.ts'
import { type Functions, openFunctions, type TestApp, type User } from './support.ts'

let onward: Functions
let users = 0

const ANSWERS: Readonly<Record<string, unknown>> = {
  '/channels': {
    channels: [
      { id: 'C1', name: 'random' },
      { id: 'C2', name: 'dev' },
    ],
    next: 'more',
  },
  '/channels?after=more': {
    channels: [
      { id: 'C024BE91L', name: 'general' },
      { id: 'C4', name: 'Dev-Ops' },
      { id: 'C5', name: 'support-crew' },
      { id: 'townsq', name: 'Town Square' },
      { id: '{odd}', name: 'odd-ids' },
    ],
    next: null,
  },
  '/pipelines': {
    pipelines: [
      { id: 7, title: 'Sales' },
      { id: 8, title: 'Marketing' },
      { id: 9, title: 'Sales Europe' },
    ],
  },
  '/pipelines/8/stages': {
    stages: [
      { id: 's1', title: 'Won' },
      { id: 's2', title: 'In talks' },
    ],
  },
  '/users': {
    users: [
      { id: 'u1', name: 'Ada' },
      { id: 'u2', name: 'Zoë' },
    ],
  },
  '/tags': {
    tags: [
      { id: 't1', name: 'hot' },
      { id: 't2', name: 'cold' },
      { id: 't3', name: 'twin' },
      { id: 't4', name: 'twin' },
    ],
  },
}

beforeAll(async () => {
  onward = await openFunctions({ env: { APPS_PATH: 'services/functions/test/names-apps' } })
})
beforeEach(() => {
  onward.third.received.length = 0
  onward.third.answer(({ url }, response) => sendJson(response, url in ANSWERS ? 200 : 404, ANSWERS[url] ?? {}))
})

const connect = (user: User, token = 'board-token-0123456789') => user.connect('board' as TestApp, { token })

/** A user who has connected the board. */
async function boardUser(): Promise<User> {
  const user = onward.user(`named-${++users}`)
  await connect(user)
  return user
}

async function ask(name: string, prompt: string, { user, ...more }: { user?: User; _variables?: object } = {}) {
  const { body } = await (user ?? (await boardUser())).post(`/functions/board-${name}/get?include=meta`, { prompt, ...more }).expect(200)
  return { args: body.arguments, meta: body.meta.arguments }
}

const asked = () => onward.third.received.map(({ url }) => url)

describe('the id of what a prompt names', () => {
  it.each([
    ["post 'Hello' to #general", 'C024BE91L'],
    ["post 'Hello' in the General channel", 'C024BE91L'],
    ['post \'Hello\' to channel "dev-ops"', 'C4'],
    ["post 'Hello' to dev ops", 'C4'],
    ["post 'Hello' to the genral channel", 'C024BE91L'],
    ["post 'Hello' to the support channel", 'C5'],
    ["post 'The general is in the dev room' to #random", 'C1'],
  ])('is found for: %s', async (prompt, channel) => {
    expect((await ask('post-message', prompt)).args).toMatchObject({ channel })
  })

  it.each([
    ["post 'Hello' to the marketing crew"],
    ["post 'Hello'"],
    ["post 'general'"],
    ["post 'Talk to general tomorrow'"],
    ["post 'Hello' to #nowhere"],
  ])('is left out where none is clear: %s', async (prompt) => {
    expect((await ask('post-message', prompt)).args).not.toHaveProperty('channel')
  })

  it('says where it came from, and by which words', async () => {
    const prompt = "post 'Hello' to #general"
    const { meta } = await ask('post-message', prompt)
    const at = prompt.indexOf('general')
    expect(meta.channel).toEqual({
      from: 'source_function',
      function: 'board-list-channels',
      span: [at, at + 7],
      confidence: expect.any(Number),
    })
  })

  it('is a number where the parameter is, and the longer of two names', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" in the Marketing pipeline')).args).toMatchObject({
      name: 'Chairs',
      pipeline_id: 8,
    })
    expect((await ask('create-deal', 'create a deal named "Chairs" in the Sales Europe pipeline')).args).toMatchObject({ pipeline_id: 9 })
  })

  it('of a person is found by what is done', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" and assign it to Zoe')).args).toMatchObject({ assignee: 'u2' })
    expect((await ask('create-deal', 'create a deal named "Chairs" as Zoe wanted')).args).not.toHaveProperty('assignee')
  })

  it('of one thing helps to find that of another', async () => {
    const { args } = await ask('create-deal', 'create a deal named "Chairs" in the Marketing pipeline, stage "In talks"')
    expect(args).toMatchObject({ pipeline_id: 8, stage_id: 's2' })
    expect(asked()).toEqual(expect.arrayContaining(['/pipelines', '/pipelines/8/stages']))
  })

  it('comes in a list where the parameter is one, and of two of the same name there is none', async () => {
    expect((await ask('create-deal', 'create a deal named "Chairs" with tag hot')).args).toMatchObject({ tag_ids: ['t1'] })
    expect((await ask('create-deal', 'create a deal named "Chairs" with tag twin')).args).not.toHaveProperty('tag_ids')
  })

  it('is left out where it would be read as the tag of a variable', async () => {
    const prompt = "post 'Hello' to #odd-ids"
    expect((await ask('post-message', prompt)).args).toMatchObject({ channel: '{odd}' })
    expect((await ask('post-message', prompt, { _variables: { a: 1 } })).args).not.toHaveProperty('channel')
  })

  it('is left out where it is too long to be one', async () => {
    onward.third.answer((_got, response) => sendJson(response, 200, { channels: [{ id: 'C'.repeat(501), name: 'general' }] }))
    expect((await ask('post-message', "post 'Hello' to #general")).args).not.toHaveProperty('channel')
  })

  it.each([
    ['of quotes', '“'.repeat(9_900)],
    ['with a very long word', `channel a${'c'.repeat(190)}`],
  ])('is looked for no longer in a prompt %s', (_what, text) => {
    const began = process.cpuUsage()
    const options = Array.from({ length: 1_000 }, (_each, i) => {
      const label = `a${'b'.repeat(189)}${i % 10}`
      return { value: i, label, words: [label] }
    })
    expect(findLabel(text, options, { nouns: ['channel'], about: [], span: undefined, required: true })).toBeUndefined()
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(150)
  })

  it('is used in a prediction too', async () => {
    const user = await boardUser()
    const sent = { prompt: "post message 'Hello' to the general channel of Board", predict_arguments: true }
    const { body } = await user.post('/functions/predict', sent).expect(200)
    expect(body.functions[0]).toMatchObject({ name: 'board-post-message', arguments: { channel: 'C024BE91L' } })
  })
})

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
    await ask('post-message', "post 'Hello' to #general", { user: onward.user('unconnected') })
    expect(asked()).toEqual([])
  })

  it('the app as the account that a call would use, with its token, once a minute for each account', async () => {
    const user = await boardUser()
    await connect(user, 'board-token-of-the-newest')
    await ask('post-message', "post 'Hello' to #general", { user })
    await ask('post-message', "post 'Hello' to #random", { user })
    expect(onward.third.received.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer board-token-of-the-newest'))
    expect(asked()).toEqual(['/channels', '/channels?after=more'])
    await ask('post-message', "post 'Hello' to #general")
    expect(asked().length).toBe(4)
  })

  it('the app again when another account is the newest', async () => {
    const user = await boardUser()
    await ask('post-message', "post 'Hello' to #general", { user })
    await connect(user, 'board-token-of-the-newest')
    await ask('post-message', "post 'Hello' to #general", { user })
    expect(onward.third.received.at(-1)?.headers.authorization).toBe('Bearer board-token-of-the-newest')
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
    onward.third.answer((_got, response) =>
      sendJson(response, 200, { channels: [{ id: 'C1', name: 'random' }], next: `n${asked().length}` }),
    )
    expect((await ask('post-message', "post 'Hello' to #random")).args).toMatchObject({ channel: 'C1' })
    expect(asked().length).toBe(5)
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
    onward.third.answer((_got, response) => sendJson(response, status, answer))
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('by breaking off does not either', async () => {
    onward.third.answer((_got, response) => void response.socket?.destroy())
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
  })

  it('by not answering holds the prediction up for three seconds', async () => {
    onward.third.answer(() => {})
    const begun = Date.now()
    expect((await ask('post-message', "post 'Hello' to #general")).args).toMatchObject({ text: 'Hello' })
    expect(Date.now() - begun).toBeLessThan(6_000)
  })
})

describe('the calls log', () => {
  it('has each internal call for who asks for them, and none of them counts', async () => {
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
