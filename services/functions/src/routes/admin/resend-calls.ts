import { resendCalls } from '@onward/contract'
import { isUuid, Refusal, readCursor, readSpan, writeCursor } from '@onward/runtime'
import { resendCalls as resend } from '../../db/resend-calls.ts'
import { route } from '../route.ts'

/** Calls of one statement, and statements of one request. */
const STEP = 5_000
const STEPS_MAX = 10

export const resendCallsRoute = route(resendCalls, async (ctx, { body }) => {
  const span = readSpan(body)
  let after = readCursor(body._cursor, ['string'])?.[0] ?? null
  if (after !== null && !isUuid(after)) {
    throw new Refusal('invalid_parameters', 'the cursor is not valid', ['_cursor: must be the _cursor of an earlier answer'])
  }
  let tasks = 0
  for (let step = 1; ; step++) {
    const sent = await resend(ctx.db, span, after, STEP, ctx.config.taskBatchMax)
    tasks += sent.tasks
    ctx.metrics.resent.inc(sent.tasks)
    after = sent.last ?? after
    const more = sent.tasks === STEP && after !== null
    if (more && step < STEPS_MAX) continue
    return { tasks, sent_at: sent.sentAt.toISOString(), _cursor: more ? writeCursor([after as string]) : null }
  }
})
