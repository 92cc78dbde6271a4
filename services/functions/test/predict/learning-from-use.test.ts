import { sendJson } from '@onward/testbed'
import type { User } from '../support/support.ts'
import { ASKED, useLearning } from '../support/use-learning.ts'

/** The same request in other words. */
const LIKE = ['the flowers in the garden want water', 'please give water to my flowers', 'all flowers of the garden must be watered']

const learning = useLearning()
const { newUser, connect, predict, ask, predictions, pastPrompts, learn, teach, teachAll } = learning

const EXPECTED = () => [...Array(4).fill(learning.meant), 'desk-create-ticket']

function bestOf(asking: User): Promise<(string | undefined)[]> {
  return Promise.all([ASKED, ...LIKE, 'open a ticket'].map(async (prompt) => (await predict(asking, prompt))[0]))
}

describe('a prompt whose predicted function was then called', () => {
  it('finds that function next time, in other words too, for this user only', async () => {
    const { user, application, appKey } = await newUser()
    const ann = learning.onward.user('ann', application)
    await connect(ann)
    const before = await bestOf(ann)
    expect(before).not.toEqual(EXPECTED())
    await teach(user, appKey)
    expect(await bestOf(user)).toEqual(EXPECTED())
    expect(await bestOf(ann)).toEqual(before)
  })

  it('finds that function for all users of the application when three users called it', async () => {
    const { user, application } = await newUser()
    const { user: stranger } = await newUser()
    const before = await bestOf(stranger)
    await teachAll(application)
    expect(await bestOf(user)).toEqual(EXPECTED())
    expect(await bestOf(stranger)).toEqual(before)
  })

  it('is stored once and without its values', async () => {
    const { user, appKey } = await newUser()
    await teach(user, appKey)
    await ask(user, appKey, `${ASKED}, "room 5", for ada@example.com`)
    await ask(user, appKey, ASKED.toUpperCase())
    await user.call(learning.meant).expect(200)
    await learn(appKey)
    expect((await pastPrompts(appKey)).map(({ prompt }) => prompt).sort()).toEqual([ASKED, `${ASKED} for`])
  })

  it('is learnt when the call comes after the first check', async () => {
    const { user, appKey } = await newUser()
    await ask(user, appKey)
    await learn(appKey)
    await learn(appKey)
    await user.call(learning.meant).expect(200)
    await learn(appKey)
    expect(await pastPrompts(appKey)).toMatchObject([{ function_name: learning.meant, prompt: ASKED }])
    expect(await predictions(appKey)).toEqual([])
  })

  it('is learnt when the call comes within ten minutes', async () => {
    const { user, appKey } = await newUser()
    await ask(user, appKey)
    await learn(appKey, 540)
    await user.call(learning.meant).expect(200)
    await learn(appKey)
    expect(await pastPrompts(appKey)).toHaveLength(1)
  })
})

describe('a prompt', () => {
  it.each<[string, (user: User, other: User, appKey: string) => Promise<unknown>]>([
    ['from a call of another user', (_user, other) => other.call(learning.meant).expect(200)],
    [
      'from a call of a function that was not predicted',
      async (user) => {
        await user.connect('crm')
        await user.call('crm-list-contacts').expect(200)
      },
    ],
    [
      'from a call that the app refused',
      (user) => {
        learning.onward.third.respond((_received, response) => sendJson(response, 404, {}))
        return user.call(learning.meant).expect(200)
      },
    ],
    [
      'from a call that Onward made of itself',
      async (user, _other, appKey) => {
        await user.call(learning.meant).expect(200)
        await learning.onward.db.updateTable('call_log').set({ internal: true }).where('app_key', '=', appKey).execute()
      },
    ],
    [
      'from a call ten minutes later',
      async (user, _other, appKey) => {
        await learn(appKey, 605)
        await user.call(learning.meant).expect(200)
      },
    ],
  ])('is not learnt %s', async (_what, call) => {
    const { user, application, appKey } = await newUser()
    const other = learning.onward.user('ann', application)
    await connect(other)
    await ask(user, appKey)
    await call(user, other, appKey)
    await learn(appKey)
    expect(await pastPrompts(appKey)).toEqual([])
    await learn(appKey, 720)
    expect(await predictions(appKey)).toEqual([])
    expect((await predict(user, ASKED))[0]).not.toBe(learning.meant)
  })

  it('is not learnt when it contains something like a secret, or when nothing fits', async () => {
    const { user, appKey } = await newUser()
    await predict(user, `${ASKED}, my password is hunter22`)
    await predict(user, 'zzzqqq xyzzy')
    await ask(user, appKey)
    expect((await predictions(appKey)).map(({ prompt }) => prompt)).toEqual([ASKED])
  })
})
