import type { EndedRightsJob } from '@onward/contract'
import { inTime, type Log, type Queue } from '@onward/runtime'

/** Calls of a queue whose store was never reachable would wait forever. */
const QUEUE_TIMEOUT_MS = 5_000

type Parts = { readonly endedRightsQueue: Queue<EndedRightsJob>; readonly log: Log }

/**
 * Tells functions that a session has ended, or that the rights of a person have changed. Never rejects. If the message is lost, access tokens
 * that were signed before stay valid until they expire, and so do the MCP tokens that the person made: the log says so.
 */
export async function publishEnded({ endedRightsQueue, log }: Parts, id: string): Promise<void> {
  try {
    await inTime(QUEUE_TIMEOUT_MS, endedRightsQueue.add({ data: { id, at: new Date().toISOString() } }))
  } catch (err) {
    log.error({ err, id }, 'could not tell functions whose rights ended; revoke the MCP tokens of this person there')
  }
}
