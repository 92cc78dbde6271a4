import { eventWebhooks } from '@onward/contract'
import { uuidv7 } from '@onward/runtime'
import type { NewDelivery } from '../db/deliveries.ts'
import { taskStatusWithPercents } from '../rules/status.ts'

const LEVEL_KIND = /^user_tasks_limit_(\d+)$/
const TEST_USER = 'test@example.com'

/** Returns the level that a webhook kind announces (`user_tasks_limit_80` → 80), or null for other kinds. */
export function levelOfKind(kind: string): number | null {
  const level = LEVEL_KIND.exec(kind)?.[1]
  return level === undefined ? null : Number(level)
}

/** Returns a test delivery of a webhook kind, with sample figures. */
export function testDelivery(subscriptionId: string, kind: string): NewDelivery {
  return {
    id: uuidv7(),
    subscriptionId,
    kind,
    payload: JSON.stringify(samplePayload(kind)),
    appKey: null,
    userId: TEST_USER,
    reached: null,
  }
}

function samplePayload(kind: string): object {
  const level = levelOfKind(kind)
  if (level !== null)
    return taskStatusWithPercents({ userId: TEST_USER, limit: 1_000, consumed: level * 10, days: 30, endsAt: null }, new Date())
  const [example] = new Map<string, { examples: readonly object[] }>(Object.entries(eventWebhooks)).get(kind)?.examples ?? []
  if (example === undefined) throw new Error(`the webhook kind ${kind} has no sample`)
  return { ...example, event_id: uuidv7(), user_id: TEST_USER, occurred_at: new Date().toISOString() }
}
