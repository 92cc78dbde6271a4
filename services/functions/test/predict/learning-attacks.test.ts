import { eventually, sendJson } from '@onward/testbed'
import type { TestApp, User } from '../support/support.ts'
import { ASKED, useLearning } from '../support/use-learning.ts'

const learning = useLearning({ APPS_PATH: 'services/functions/test/learning-apps' })
const { onward, learn, passDay, share } = learning

const QUESTION = 'which tree of the orchard?'
const FELL = 'fell the tree of the orchard'
/** What the victim asks before and after each attack. */
const PROMPTS = [
  ...[ASKED, 'my flowers need water', 'please water all flowers', 'the tree of the orchard'],
  ...[QUESTION, FELL, 'remove the tree', 'zzzqqq xyzzy'],
]

const FOUR = ['a', 'b', 'c', 'd']

type Step = readonly [userId: string, prompt: string, functionName: string]

/** Rows for one user after the other: each does the same. */
const each = (users: readonly string[], prompt: string, name: string): Step[] => users.map((userId) => [userId, prompt, name])
const repeat = (count: number, steps: readonly Step[]): Step[] => Array.from({ length: count }, () => steps).flat()

let made = 0
/** Returns the users of a new application by their id; each has connected all apps. Its users learn from each other unless it keeps the defaults. */
async function newApplication(settings: object = { share_learning: true }) {
  const application = await onward.makeApplication(`attacked-${++made}`, 'workspace-1', settings)
  const users = new Map<string, User>()
  return {
    appKey: application.appKey,
    async user(userId: string): Promise<User> {
      const user = users.get(userId) ?? onward.user(userId, application)
      if (!users.has(userId)) {
        await learning.connect(user)
        await user.connect('orchard' as TestApp, { token: 'orchard-token-0123456789' })
      }
      users.set(userId, user)
      return user
    },
  }
}
type Application = Awaited<ReturnType<typeof newApplication>>

/** For each step, predicts with the largest `top_k`, calls the function, and learns. By default, each step is a day later than the one before. */
async function attack({ appKey, user }: Application, steps: readonly Step[], dayApart = true): Promise<void> {
  for (const [userId, prompt, name] of steps) {
    const attacker = await user(userId)
    const { body } = await attacker.post('/functions/predict', { prompt, top_k: 20 }).expect(200)
    const place = body.functions.findIndex((found: { name: string }) => found.name === name)
    expect(place).toBeGreaterThanOrEqual(0)
    await attacker.call(name, {}).expect(200)
    // Predictions are stored in the background. Those that cannot be learnt are not stored.
    if (place > 2 || body.functions[place].confidence < 0.15) continue
    const stored = (each: { user_id: string; functions: string[] }) => each.user_id === userId && each.functions.includes(name)
    await eventually(async () => expect((await learning.predictions(appKey)).some(stored)).toBe(true))
    if (dayApart) await passDay(appKey)
    await learn(appKey)
  }
}

type Predicted = { name: string; confidence: number }[]
async function answersFor(user: User): Promise<Predicted[]> {
  const answers: Predicted[] = []
  for (const prompt of PROMPTS) {
    const { body } = await user.post('/functions/predict', { prompt, top_k: 20 }).expect(200)
    answers.push(body.functions.map(({ name, confidence }: Predicted[number]) => ({ name, confidence })))
  }
  return answers
}

beforeEach(() => onward.third.respond((_received, response) => sendJson(response, 200, {})))

describe('what other users are predicted stays the same', () => {
  it.each<[string, () => Step[]]>([
    ['one user calls another function', () => [['eve', ASKED, learning.meant]]],
    ['one user calls another function five times', () => repeat(5, [['eve', ASKED, learning.meant]])],
    [
      'one user calls another function after many similar prompts',
      () => PROMPTS.slice(0, 3).map((prompt): Step => ['eve', prompt, learning.meant]),
    ],
    ['two users call another function', () => repeat(2, each(['eve', 'mallory'], ASKED, learning.meant))],
    ['four users call a function from the end of the answer', () => each(FOUR, ASKED, 'orchard-show-tree')],
    ['four users call a function with a low confidence', () => each(FOUR, 'show the tree', 'orchard-show-tree-map')],
    ['four users call a destructive function', () => each(FOUR, FELL, 'orchard-fell-tree')],
  ])('when %s', async (_attack, steps) => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    expect(before.filter(([first]) => first === undefined)).toHaveLength(1)
    await attack(application, steps())
    expect(await answersFor(victim)).toEqual(before)
  })
})

/** Returns the functions that overtook others in the answer to a prompt: an action a query, or a destructive function any other. */
function flips(before: Predicted, after: Predicted): string[] {
  const place = (predicted: Predicted, name: string) => predicted.findIndex((found) => found.name === name)
  const isQuery = (name: string) => /-(show|get|list|find|read)-/.test(name)
  return after.flatMap(({ name }, at) => {
    if (isQuery(name)) return []
    const overtaken = after
      .slice(at + 1)
      .filter((other) => place(before, other.name) >= 0 && place(before, name) > place(before, other.name))
    const wrongly = overtaken.filter((other) => isQuery(other.name) || name === 'orchard-fell-tree')
    return wrongly.map((other) => `${name} overtook ${other.name}`)
  })
}

describe('no action overtakes a query, and no destructive function another one', () => {
  it.each<[string, readonly Step[]]>([
    ['a destructive function', each(['eve'], FELL, 'orchard-fell-tree')],
    ['a destructive function unasked', repeat(3, each(['eve'], 'the tree of the orchard', 'orchard-fell-tree'))],
    ['an action instead of a query', repeat(3, each(['eve'], QUESTION, 'orchard-plant-tree'))],
    ['an action that was first', each(['eve'], 'the tree of the orchard', 'orchard-plant-tree')],
    ['a query', each(['eve'], 'the tree of the orchard', 'orchard-show-tree')],
  ])('when a user, or four users, called %s', async (_attack, steps) => {
    const application = await newApplication()
    const [eve, victim] = [await application.user('eve'), await application.user('victim')]
    const before = await answersFor(victim)
    const flipsFor = async (user: User) => (await answersFor(user)).map((after, at) => flips(before[at] ?? [], after))
    const none = PROMPTS.map(() => [])
    await attack(application, steps)
    expect(await flipsFor(eve)).toEqual(none)
    for (const userId of ['a', 'b', 'c', 'd'])
      await attack(
        application,
        steps.slice(0, 1).map(([, prompt, name]) => [userId, prompt, name]),
      )
    expect(await flipsFor(victim)).toEqual(none)
  })
})

const THREE = ['a', 'b', 'c']

describe('three users who agree', () => {
  it('change what the others are predicted, so the attacks above could have an effect', async () => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    await attack(application, each(THREE, ASKED, learning.meant))
    const after = await answersFor(victim)
    expect(before[0]?.[0]?.name).not.toBe(learning.meant)
    expect(after[0]?.[0]?.name).toBe(learning.meant)
  })

  it('leave each other function at least half of its confidence', async () => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    await attack(application, each(THREE, ASKED, learning.meant))
    const after = await answersFor(victim)
    expect(before[0]?.[0]?.confidence).toBeGreaterThan(0)
    for (const [at, response] of before.entries()) {
      for (const { name, confidence } of response) {
        const now = after[at]?.find((found) => found.name === name)
        expect(now === undefined ? 1 : now.confidence).toBeGreaterThanOrEqual(confidence / 2)
      }
    }
    expect(after[0]?.map(({ name }) => name)).toContain(before[0]?.[0]?.name)
  })

  it('change nothing for others when all began on one day, until another user agrees later', async () => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    await attack(application, each(THREE, ASKED, learning.meant), false)
    expect(await answersFor(victim)).toEqual(before)
    await passDay(application.appKey)
    // Calls of the same users on another day add no user of another age.
    await attack(application, each(THREE, ASKED, learning.meant), false)
    expect(await answersFor(victim)).toEqual(before)
    await attack(application, each(['d'], ASKED, learning.meant), false)
    expect((await answersFor(victim))[0]?.[0]?.name).toBe(learning.meant)
  })

  it('change nothing for others when as many users called another function', async () => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    const usual = before[0]?.[0]?.name as string
    // The first two are too few to be shared themselves.
    await attack(application, each(['x', 'y'], ASKED, usual))
    await attack(application, [['z', ASKED, usual]], false)
    const names = () => learning.sharedPrompts(application.appKey).then((rows) => rows.map(({ function_name }) => function_name))
    expect(await names()).toEqual([usual])
    await attack(application, each(THREE, ASKED, learning.meant))
    expect(await names()).toEqual([usual])
    await attack(application, each(['d'], ASKED, learning.meant))
    expect(new Set(await names())).toEqual(new Set([usual, learning.meant]))
  })
})

describe('sharing what is learnt', () => {
  it('is off by default: users who agree change nothing for others', async () => {
    const application = await newApplication({})
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    await attack(application, each(FOUR, ASKED, learning.meant))
    expect(await learning.sharedPrompts(application.appKey)).toEqual([])
    const shared = { app_key: application.appKey, function_name: learning.meant, prompt: ASKED, doubt: 0.5, called_at: new Date() }
    await onward.db.insertInto('shared_prompt').values(shared).execute()
    expect(await answersFor(victim)).toEqual(before)
    await share(application.appKey, true)
    expect(await learning.sharedPrompts(application.appKey)).toEqual([])
    expect(await answersFor(victim)).toEqual(before)
  })

  it('ends at once, and forgets what was shared, when it is turned off', async () => {
    const application = await newApplication()
    const victim = await application.user('victim')
    const before = await answersFor(victim)
    await attack(application, each(THREE, ASKED, learning.meant))
    expect(await answersFor(victim)).not.toEqual(before)
    await share(application.appKey, true)
    expect(await learning.sharedPrompts(application.appKey)).toHaveLength(1)
    await share(application.appKey, false)
    expect(await learning.sharedPrompts(application.appKey)).toEqual([])
    expect(await answersFor(victim)).toEqual(before)
  })
})
