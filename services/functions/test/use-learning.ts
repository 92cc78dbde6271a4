import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { learnPastPrompts } from '../src/db/learn-past-prompts.ts'
import { type Functions, openFunctions, type User } from './support.ts'

/** Two apps do this alike. */
export const ASKED = 'water the flowers of the garden'

/** Functions for the tests of a file, and users who teach it which function is meant. */
export function useLearning() {
  let onward: Functions
  /** Of the two functions that do what is asked for, the one that is not the first answer. */
  let meant: string
  beforeAll(async () => {
    onward = await openFunctions()
    // Else the service's own loop would learn between what a test does; `learn` says itself what is due.
    await sql`alter table prediction alter column look_at set default now() + interval '1 hour'`.execute(onward.db)
    const { user } = await newUser()
    const [first, second] = await predict(user, ASKED)
    expect(new Set([first, second])).toEqual(new Set(['larch-water-flowers', 'maple-water-flowers']))
    meant = second as string
  })
  beforeEach(() => onward.third.answer((_received, response) => sendJson(response, 200, {})))

  let made = 0
  /** A user of an application of its own, with both apps connected. */
  async function newUser(userId = 'joe') {
    const application = await onward.makeApplication(`learner-${++made}`)
    const user = onward.user(userId, application)
    await connect(user)
    return { application, user, ...application }
  }

  async function connect(user: User): Promise<void> {
    for (const app of ['larch', 'maple'] as const) await user.connect(app)
  }

  async function predict(user: User, prompt: string, topK = 5): Promise<string[]> {
    const { body } = await user.post('/functions/predict', { prompt, top_k: topK }).expect(200)
    return body.functions.map(({ name }: { name: string }) => name)
  }

  /** Predicts, and waits until something is noted: this, unless the note of an earlier prediction is still on its way. */
  async function ask(user: User, appKey: string, prompt = ASKED): Promise<void> {
    const before = (await predictions(appKey)).length
    expect(await predict(user, prompt)).toContain(meant)
    await eventually(async () => expect((await predictions(appKey)).length).toBeGreaterThan(before))
  }

  const predictions = (appKey: string) => onward.db.selectFrom('prediction').selectAll().where('app_key', '=', appKey).execute()
  const pastPrompts = (appKey: string) => onward.db.selectFrom('past_prompt').selectAll().where('app_key', '=', appKey).execute()

  /** Lets what is noted of an application be due now, as though the predictions were older by so many seconds, and learns. */
  async function learn(appKey: string, secondsOlder = 0): Promise<void> {
    const older = sql<Date>`predicted_at - make_interval(secs => ${secondsOlder})`
    await onward.db.updateTable('prediction').set({ look_at: sql`now()`, predicted_at: older }).where('app_key', '=', appKey).execute()
    // The service's own loop may be at it.
    await eventually(async () => {
      await learnPastPrompts(onward.db, 500)
      const due = (await predictions(appKey)).filter(({ look_at }) => look_at.getTime() <= Date.now())
      expect(due).toEqual([])
    })
  }

  /** Asks, calls what was meant, and learns. */
  async function teach(user: User, appKey: string): Promise<void> {
    await ask(user, appKey)
    await user.call(meant).expect(200)
    await learn(appKey)
    expect(await pastPrompts(appKey)).toHaveLength(1)
  }

  return {
    get onward() {
      return onward
    },
    get meant() {
      return meant
    },
    ...{ newUser, connect, predict, ask, predictions, pastPrompts, learn, teach },
  }
}
