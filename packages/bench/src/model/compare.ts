import { deepStrictEqual } from 'node:assert'
import { statuses } from './figures.ts'
import type { World } from './open-world.ts'
import type { Model } from './rules.ts'

type Run = {
  readonly world: World
  readonly model: Model
  readonly key: string
  readonly applications: readonly string[]
  /** Of the subscriptions, in the model's order. */
  readonly ids: readonly string[]
  virtual(at: Date): number
}

/** The list of each application, and each of its users alone, as partners see them. */
export async function compareStatuses({ world, model, key, applications }: Run): Promise<void> {
  for (const application of applications) {
    const owned = model.applications.find((each) => each.name === application)?.owned === true
    const list = await world.partner(key, 'GET', `insights/users/tasks/?app_key=${application}`)
    deepStrictEqual(list.status, owned ? 200 : 404)
    if (!owned) continue
    const expected = statuses(model, application)
    deepStrictEqual(list.body, expected, 'the list of users')
    const [first] = expected
    if (first === undefined) continue
    const { tasks_consumed_percent: _consumed, tasks_remaining_percent: _remaining, ...alone } = first
    const one = await world.partner(key, 'GET', `insights/users/${first.user_id}/tasks/?app_key=${application}`)
    deepStrictEqual(one, { status: 200, body: alone }, 'one user')
  }
}

/** Every delivery that there is, in the order in which a level was told again, with the figures in it. */
export async function compareNotices({ world, model, applications, ids, virtual }: Run): Promise<void> {
  const rows = await world.query('select * from delivery where app_key = any($1) order by arm_seq', [applications])
  const found = rows.map((row) => ({
    subscription: ids.indexOf(row.subscription_id as string),
    application: row.app_key as string,
    user: row.user_id as string,
    startsAt: virtual(row.period_start as Date),
    level: row.level as number,
    body: JSON.parse(row.body as string) as object,
  }))
  deepStrictEqual(found.sort(byPlace), model.notices.toSorted(byPlace), 'the deliveries')
}

/** Sorting is stable: notices of the same level in the same window keep their order. */
function byPlace(a: Model['notices'][number], b: Model['notices'][number]): number {
  const place = ({ subscription, application, user, startsAt, level }: Model['notices'][number]) =>
    `${subscription} ${application} ${user} ${startsAt} ${level}`
  return place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0
}
