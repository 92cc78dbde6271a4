import { deepStrictEqual } from 'node:assert'
import type { AreaB } from '../area-b.ts'
import { type Model, statuses } from './model.ts'

type Run = {
  readonly areaB: AreaB
  readonly model: Model
  readonly key: string
  readonly applications: readonly string[]
  /** Ids of the subscriptions, in the model's order. */
  readonly ids: readonly string[]
  /** Converts a time of the database to the model's clock. */
  toModel(at: Date): number
}

/** Compares the responses of the public API: the list of each application's users, and the status of the first user. */
export async function compareStatuses({ areaB, model, key, applications }: Run): Promise<void> {
  for (const application of applications) {
    const owned = model.applications.find((each) => each.name === application)?.owned === true
    const list = await areaB.api(0, key, 'GET', `insights/users/tasks/?app_key=${application}`)
    deepStrictEqual(list.status, owned ? 200 : 404)
    if (!owned) continue
    const expected = statuses(model, application)
    deepStrictEqual(list.body, expected, 'the list of users')
    const [first] = expected
    if (first === undefined) continue
    const { tasks_consumed_percent: _consumed, tasks_remaining_percent: _remaining, ...alone } = first
    const one = await areaB.api(0, key, 'GET', `insights/users/${first.user_id}/tasks/?app_key=${application}`)
    deepStrictEqual(one, { status: 200, body: alone }, 'one user')
  }
}

/** Compares all deliveries and their payloads. Deliveries of the same level in the same period must have the same order. */
export async function compareDeliveries({ areaB, model, applications, ids, toModel }: Run): Promise<void> {
  const rows = await areaB.query('select * from delivery where app_key = any($1) order by times_lowered', [applications])
  const found = rows.map((row) => ({
    subscription: ids.indexOf(String(row.subscription_id)),
    application: String(row.app_key),
    user: String(row.user_id),
    startsAt: toModel(new Date(row.period_start as Date)),
    level: Number(row.level),
    body: JSON.parse(String(row.payload)) as object,
  }))
  deepStrictEqual(found.sort(byPlace), model.deliveries.toSorted(byPlace), 'the deliveries')
}

/** Compares two deliveries for sorting. Sorting is stable, so deliveries of the same level in the same period keep their order. */
function byPlace(a: Model['deliveries'][number], b: Model['deliveries'][number]): number {
  const place = ({ subscription, application, user, startsAt, level }: Model['deliveries'][number]) =>
    `${subscription} ${application} ${user} ${startsAt} ${level}`
  return place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0
}
