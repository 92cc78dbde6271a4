import { levelOfEvent } from './level-of-event.ts'
import { taskStatusWithPercents } from './status.ts'

const USER = 'test@example.com'

/** What a subscription to these events would be told of a user who has just reached the first one's level. */
export function sampleDelivery([eventName = 'user_tasks_limit_80']: readonly string[]) {
  const level = levelOfEvent(eventName)
  const usage = { userId: USER, limit: 1_000, consumed: level * 10, days: 30, endsAt: null }
  return { userId: USER, level, eventName, body: JSON.stringify(taskStatusWithPercents(usage, new Date())) }
}
