import { eventually } from '@onward/testbed'
import { sql } from 'kysely'
import { LEARNING_LOCK, learnPastPrompts } from '../../src/db/learn-past-prompts.ts'
import { trimSharedPrompts, trimUserPrompts } from '../../src/db/past-prompts.ts'
import { insertPredictions } from '../../src/db/predictions.ts'
import { readConfig, startFunctions } from '../../src/index.ts'
import { TEST_BUILT_IN } from '../support/support.ts'
import { ASKED, useLearning } from '../support/use-learning.ts'

const learning = useLearning()
const { newUser, predict, ask, predictions, pastPrompts, sharedPrompts, learn, teach, teachAll } = learning

const isNoted = (appKey: string) => eventually(async () => expect(await predictions(appKey)).toHaveLength(1))

describe('the setting learn_from_use', () => {
  const put = (appKey: string, learn_from_use?: boolean) =>
    learning.onward.admin('put', `/admin/applications/${appKey}`, { workspace_id: 'workspace-1', name: appKey, learn_from_use }).expect(200)
  const listed = async (appKey: string) => {
    const { body } = await learning.onward.admin('get', '/admin/applications').expect(200)
    return body.applications.find(({ app_key }: { app_key: string }) => app_key === appKey).learn_from_use
  }

  it('is true by default and keeps its value', async () => {
    const { appKey } = await newUser()
    expect(await listed(appKey)).toBe(true)
    await put(appKey, false)
    await put(appKey)
    expect(await listed(appKey)).toBe(false)
    await put(appKey, true)
    expect(await listed(appKey)).toBe(true)
  })

  it('removes past prompts and stores none when turned off', async () => {
    const { user, application, appKey } = await newUser()
    await teach(user, appKey)
    await teachAll(application)
    await ask(user, appKey)
    await put(appKey, false)
    expect([await pastPrompts(appKey), await sharedPrompts(appKey), await predictions(appKey)]).toEqual([[], [], []])
    expect((await predict(user, ASKED))[0]).not.toBe(learning.meant)
    const { user: marker, appKey: markerKey } = await newUser()
    await ask(marker, markerKey)
    expect(await predictions(appKey)).toEqual([])
    await put(appKey, true)
    await teach(user, appKey)
    expect((await predict(user, ASKED))[0]).toBe(learning.meant)
  })

  it.each(['yes', 1, null])('refuses the value %j', async (learn_from_use) => {
    const body = { workspace_id: 'workspace-1', name: 'a', learn_from_use }
    await learning.onward.admin('put', '/admin/applications/app-1', body).expect(400)
  })
})

describe('DELETE /admin/applications/:app_key/past-prompts', () => {
  const clear = (appKey: string) => learning.onward.admin('delete', `/admin/applications/${appKey}/past-prompts`)

  it('removes the past prompts and recent predictions of this application only', async () => {
    const { user, application, appKey } = await newUser()
    const { user: other, appKey: otherKey } = await newUser()
    await teach(user, appKey)
    await teachAll(application)
    await teach(other, otherKey)
    await ask(user, appKey)
    await user.call(learning.meant).expect(200)
    await clear(appKey).expect(200, { success: true })
    await learn(appKey)
    expect([await pastPrompts(appKey), await sharedPrompts(appKey), await predictions(appKey)]).toEqual([[], [], []])
    expect((await predict(user, ASKED))[0]).not.toBe(learning.meant)
    await isNoted(appKey)
    expect((await predict(other, ASKED))[0]).toBe(learning.meant)
    await teach(user, appKey)
    expect((await predict(user, ASKED))[0]).toBe(learning.meant)
  })

  it('stays effective when something else is learnt before the next prediction', async () => {
    const { user, application, appKey } = await newUser()
    await teachAll(application)
    expect((await predict(user, ASKED))[0]).toBe(learning.meant)
    await clear(appKey).expect(200)
    const other = { app_key: appKey, function_name: 'crm-list-contacts', prompt: 'list them', doubt: 0.5, called_at: new Date() }
    await learning.onward.db.insertInto('shared_prompt').values(other).execute()
    expect((await predict(user, ASKED))[0]).not.toBe(learning.meant)
  })

  it('answers 404 for an unknown application', async () => {
    expect((await clear('nobody').expect(404)).body.code).toBe('application_not_found')
  })
})

it('deleting an application deletes its past prompts', async () => {
  const { user, application, appKey } = await newUser()
  await teachAll(application)
  await ask(user, appKey)
  await learning.onward.db.deleteFrom('connected_account').where('app_key', '=', appKey).execute()
  await learning.onward.db.deleteFrom('application').where('app_key', '=', appKey).execute()
  expect([await pastPrompts(appKey), await sharedPrompts(appKey), await predictions(appKey)]).toEqual([[], [], []])
})

describe('the limits of past prompts', () => {
  it('keep the last twenty predictions of each user', async () => {
    const { appKey } = await newUser()
    const functions = [{ name: learning.meant, doubt: 0.5 }]
    const prediction = (userId: string, prompt: string) => ({ appKey, userId, prompt, functions, ageMs: 0 })
    const joes = Array.from({ length: 25 }, (_, i) => prediction('joe', String(i)))
    await insertPredictions(learning.onward.db, [prediction('ann', 'a'), ...joes])
    const kept = await predictions(appKey)
    expect(kept.map(({ prompt }) => prompt)).toEqual(['a', ...joes.slice(5).map(({ prompt }) => prompt)])
  })

  it('keep the last 200 past prompts of each user', async () => {
    const { appKey } = await newUser()
    const insert = (userId: string, count: number) =>
      sql`
      insert into user_prompt (app_key, user_id, function_name, prompt, doubt, called_at)
      select ${appKey}, ${userId}, 'fn', 'prompt ' || p, 0.5, now() - make_interval(secs => p)
      from generate_series(1, ${count}::int) p`.execute(learning.onward.db)
    await insert('ann', 2)
    await insert('joe', 205)
    await trimUserPrompts(
      learning.onward.db,
      ['ann', 'joe'].map((userId) => ({ appKey, userId })),
    )
    const kept = await pastPrompts(appKey)
    const numbers = (userId: string) => kept.filter(({ user_id }) => user_id === userId).map(({ prompt }) => Number(prompt.split(' ')[1]))
    expect(numbers('ann')).toHaveLength(2)
    expect(numbers('joe').sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, i) => i + 1))
  })

  it('keep the newest 30 shared prompts of a function and 20,000 of an application', async () => {
    const { appKey } = await newUser()
    const insert = (functions: number, prompts: number) =>
      sql`
      insert into shared_prompt (app_key, function_name, prompt, doubt, called_at)
      select ${appKey}, 'fn-' || f, 'prompt ' || p, 0.5, now() - make_interval(secs => f * 100 + p)
      from generate_series(1, ${functions}::int) f, generate_series(1, ${prompts}::int) p`.execute(learning.onward.db)
    await insert(700, 35)
    await trimSharedPrompts(learning.onward.db, [appKey])
    const kept = await sharedPrompts(appKey)
    expect(kept).toHaveLength(20_000)
    const ofFirst = kept.filter(({ function_name }) => function_name === 'fn-1').map(({ prompt }) => Number(prompt.split(' ')[1]))
    expect(ofFirst.sort((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    expect(kept.some(({ function_name }) => function_name === 'fn-700')).toBe(false)
  })
})

describe('several processes that learn', () => {
  it('take turns', async () => {
    const { user, appKey } = await newUser()
    await ask(user, appKey)
    await user.call(learning.meant).expect(200)
    await learning.onward.db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${LEARNING_LOCK})`.execute(tx)
      const due = learning.onward.db.updateTable('prediction').set({ check_at: sql<Date>`now()` })
      await due.where('app_key', '=', appKey).execute()
      expect(await learnPastPrompts(learning.onward.db, 500)).toBe(0)
      expect(await predictions(appKey)).toHaveLength(1)
    })
    await learn(appKey)
    expect(await pastPrompts(appKey)).toHaveLength(1)
  })

  it('learn each prediction once, and use or forget it at once', async () => {
    const { user, application, appKey } = await newUser()
    const other = await startFunctions(readConfig({ ...learning.onward.environment }, TEST_BUILT_IN))
    const { headers } = learning.onward.user('joe', application)
    const bestThere = async () => {
      const body = JSON.stringify({ prompt: ASKED, top_k: 5 })
      const response = await fetch(`${other.url}/functions/predict`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      })
      return ((await response.json()) as { functions: { name: string }[] }).functions[0]?.name
    }
    try {
      expect(await bestThere()).not.toBe(learning.meant)
      await isNoted(appKey)
      await ask(user, appKey)
      await user.call(learning.meant).expect(200)
      await Promise.all(Array.from({ length: 4 }, () => learn(appKey)))
      expect(await pastPrompts(appKey)).toHaveLength(1)
      expect(await bestThere()).toBe(learning.meant)
      await learning.onward.admin('delete', `/admin/applications/${appKey}/past-prompts`).expect(200)
      expect(await bestThere()).not.toBe(learning.meant)
    } finally {
      await other.close()
    }
  })
})

it.each(['prediction', 'user_prompt', 'shared_prompt'])(
  'POST /functions/predict answers while the table %s is not accessible',
  async (table) => {
    const { user, appKey } = await newUser()
    await sql`alter table ${sql.table(table)} rename to away`.execute(learning.onward.db)
    try {
      expect(await predict(user, ASKED)).toContain(learning.meant)
    } finally {
      await sql`alter table away rename to ${sql.table(table)}`.execute(learning.onward.db)
    }
    await teach(user, appKey)
    expect((await predict(user, ASKED))[0]).toBe(learning.meant)
  },
)
