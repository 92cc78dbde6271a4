import type { Db } from './tables.ts'

/** What came of one attempt: a status, or why there was none. */
export type Attempt = {
  readonly deliveryId: string
  readonly number: number
  readonly startedAt: Date
  readonly durationMs: number
  readonly status: number | null
  readonly failure: string | null
}

export async function insertAttempt(tx: Db, attempt: Attempt): Promise<void> {
  await tx
    .insertInto('delivery_attempt')
    .values({
      delivery_id: attempt.deliveryId,
      number: attempt.number,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      failure: attempt.failure,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
