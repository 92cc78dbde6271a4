import { sendJson } from '@onward/testbed'
import { type TestApp, type User, useFunctions } from './support.ts'

const RESPONSES: Readonly<Record<string, unknown>> = {
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

/** Opens the service with the app "board", whose parameters have source functions, and helpers for users who have connected it. */
export function useBoard() {
  const onward = useFunctions({ env: { APPS_PATH: 'services/functions/test/names-apps' } })
  let users = 0
  beforeEach(() => {
    onward.third.received.length = 0
    onward.third.respond(({ url }, response) => sendJson(response, url in RESPONSES ? 200 : 404, RESPONSES[url] ?? {}))
  })

  const connect = (user: User, token = 'board-token-0123456789') => user.connect('board' as TestApp, { token })

  /** Returns a user who has connected the board. */
  async function boardUser(): Promise<User> {
    const user = onward.user(`named-${++users}`)
    await connect(user)
    return user
  }

  async function ask(name: string, prompt: string, { user, ...more }: { user?: User; _variables?: object } = {}) {
    const { body } = await (user ?? (await boardUser())).post(`/functions/board-${name}/get?include=meta`, { prompt, ...more }).expect(200)
    return { args: body.arguments, meta: body.meta.arguments }
  }

  return { onward, connect, boardUser, ask, asked: () => onward.third.received.map(({ url }) => url) }
}
