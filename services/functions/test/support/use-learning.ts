import { eventually, sendJson } from '@onward/testbed'
import { sql } from 'kysely'
import { learnPastPrompts } from '../../src/db/learn-past-prompts.ts'
import { type User, useFunctions } from './support.ts'

/** Functions of two apps fit this prompt equally well. */
export const ASKED = 'water the flowers of the garden'

/** Opens the service for the tests of a file, with helpers that teach it which function a prompt means. */
export function useLearning(env: Readonly<Record<string, string>> = {}) {
  const onward = useFunctions({ env })
  /** The second of the two functions that fit ASKED. */
  let meant: string
  beforeAll(async () => {
    // Otherwise the loop of the service would learn in the middle of a test; `learn` marks predictions as due.
    await sql`alter table prediction alter column check_at set default now() + interval '1 hour'`.execute(onward.db)
    const { user } = await newUser()
    const [first, second] = await predict(user, ASKED)
    expect(new Set([first, second])).toEqual(new Set(['larch-water-flowers', 'maple-water-flowers']))
    meant = second as string
  })
  beforeEach(() => onward.third.respond((_received, response) => sendJson(response, 200, {})))

  let made = 0
  /** Returns a user of a new application with both apps connected. */
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

  /** Predicts, and waits until another prediction of the application is stored. */
  async function ask(user: User, appKey: string, prompt = ASKED): Promise<void> {
    const before = (await predictions(appKey)).length
    expect(await predict(user, prompt)).toContain(meant)
    await eventually(async () => expect((await predictions(appKey)).length).toBeGreaterThan(before))
  }

  const predictions = (appKey: string) => onward.db.selectFrom('prediction').selectAll().where('app_key', '=', appKey).execute()
  const pastPrompts = (appKey: string) => onward.db.selectFrom('user_prompt').selectAll().where('app_key', '=', appKey).execute()
  const sharedPrompts = (appKey: string) => onward.db.selectFrom('shared_prompt').selectAll().where('app_key', '=', appKey).execute()

  /** Marks the predictions of an application as due and as older by `secondsOlder`, then learns. */
  async function learn(appKey: string, secondsOlder = 0): Promise<void> {
    const older = sql<Date>`predicted_at - make_interval(secs => ${secondsOlder})`
    await onward.db.updateTable('prediction').set({ check_at: sql`now()`, predicted_at: older }).where('app_key', '=', appKey).execute()
    // The loop of the service may be processing them.
    await eventually(async () => {
      await learnPastPrompts(onward.db, 500)
      const due = (await predictions(appKey)).filter(({ check_at }) => check_at.getTime() <= Date.now())
      expect(due).toEqual([])
    })
  }

  /** Predicts, calls the function that was meant, and learns. */
  async function teach(user: User, appKey: string): Promise<void> {
    await ask(user, appKey)
    await user.call(meant).expect(200)
    await learn(appKey)
    expect(await pastPrompts(appKey)).toContainEqual(expect.objectContaining({ user_id: user.userId, function_name: meant }))
  }

  /** Makes what users have learnt so far a day older. */
  async function passDay(appKey: string): Promise<void> {
    const older = sql<Date>`created_at - interval '1 day'`
    await onward.db.updateTable('user_prompt').set({ created_at: older }).where('app_key', '=', appKey).execute()
  }

  async function share(appKey: string, share_learning: boolean): Promise<void> {
    await onward.admin('put', `/admin/applications/${appKey}`, { workspace_id: 'workspace-1', name: appKey, share_learning }).expect(200)
  }

  /** Turns sharing on and teaches as three users of the application, each a day later, so that all its users learn it. */
  async function teachAll(application: { readonly appKey: string; readonly secret: string }): Promise<void> {
    await share(application.appKey, true)
    for (const userId of ['kim', 'lee', 'max']) {
      const user = onward.user(userId, application)
      await connect(user)
      await passDay(application.appKey)
      await teach(user, application.appKey)
    }
    expect(await sharedPrompts(application.appKey)).toHaveLength(1)
  }

  return {
    get meant() {
      return meant
    },
    onward,
    newUser,
    connect,
    predict,
    ask,
    predictions,
    pastPrompts,
    sharedPrompts,
    learn,
    teach,
    teachAll,
    passDay,
    share,
  }
}
