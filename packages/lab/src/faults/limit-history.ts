import { randomUUID } from 'node:crypto'
import { queryPostgres } from '../rig/postgres-server.ts'
import { LEVELS } from './load.ts'
import { consume, provision, setLimits } from './model/changes.ts'
import { newModel } from './model/model.ts'

/** The workspace and the application of the limited users. */
export const LIMITED = 'limited'

/** Records each change of a limited user's limit and usage, in its transaction. The user is locked then, so their numbers are in order. */
export async function recordHistory(insightsDb: string): Promise<void> {
  await queryPostgres(
    insightsDb,
    `create table faults_history (n bigserial primary key, user_id text not null, task_limit bigint, consumed bigint);
    create function faults_limit() returns trigger language plpgsql as $$
      begin insert into faults_history (user_id, task_limit) values (new.user_id, new.task_limit); return null; end $$;
    create function faults_consumed() returns trigger language plpgsql as $$
      begin insert into faults_history (user_id, consumed) values (new.user_id, new.consumed); return null; end $$;
    create trigger faults_limit after insert or update of task_limit on usage_user
      for each row when (new.app_key = '${LIMITED}') execute function faults_limit();
    create trigger faults_consumed after insert or update of consumed on usage_period
      for each row when (new.app_key = '${LIMITED}') execute function faults_consumed()`,
  )
}

type Change = { readonly user_id: string; readonly task_limit: string | null; readonly consumed: string | null }
type Delivered = { readonly user_id: string; readonly level: number; readonly payload: string }

/** Makes the recorded changes in the model, and compares the deliveries of the model and of insights. */
export async function compareLevels(insightsDb: string): Promise<{ readonly announced: number; readonly differing: number | string }> {
  const model = newModel(Date.now())
  provision(model, LIMITED, undefined)
  model.subscriptions.push({ levels: LEVELS, live: true })
  const consumedBy = new Map<string, number>()
  const history = await queryPostgres<Change>(insightsDb, 'select user_id, task_limit, consumed from faults_history order by n')
  for (const { user_id: user, task_limit: limit, consumed } of history) {
    if (limit !== null) setLimits(model, LIMITED, [{ user, limit: Number(limit) }])
    const added = Number(consumed ?? 0) - (consumedBy.get(user) ?? 0)
    if (consumed !== null) consumedBy.set(user, Number(consumed))
    const task = () => ({ id: randomUUID(), application: LIMITED, user, at: model.now })
    if (consumed !== null) consume(model, Array.from({ length: added }, task))
  }
  const expected = model.deliveries.map(({ user, level, body }) => textOf(user, level, body))
  const rows = await queryPostgres<Delivered>(insightsDb, 'select user_id, level, payload from delivery where app_key = $1', [LIMITED])
  const delivered = rows.map(({ user_id, level, payload }) => textOf(user_id, level, JSON.parse(payload) as object))
  const differing = [
    ...without(expected, delivered).map((text) => `missing: ${text}`),
    ...without(delivered, expected).map((text) => `not in the model: ${text}`),
  ]
  return { announced: delivered.length, differing: differing.length === 0 ? 0 : `${differing.length}: ${differing.slice(0, 5).join('; ')}` }
}

function textOf(user: string, level: number, body: { current_limit?: number; tasks_consumed?: number }): string {
  return `${user} ${level} % with ${body.tasks_consumed} of ${body.current_limit}`
}

/** Returns the texts without the texts of another list. A text that occurs twice there is removed twice. */
function without(texts: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const text of other) left.set(text, (left.get(text) ?? 0) + 1)
  return texts.filter((text) => {
    const times = left.get(text) ?? 0
    left.set(text, times - 1)
    return times <= 0
  })
}
