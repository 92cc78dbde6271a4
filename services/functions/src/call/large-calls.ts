import type { Share } from '@onward/runtime'
import { RESPONSE_ROOM, takeForCall } from '../admit.ts'
import type { Executed } from '../onward/execute.ts'

/**
 * Remembers how many bytes a user's last call of a function held, if they were many. Without it, there could be room to make several such
 * calls at once, but not for their responses: these would be dropped after the calls had taken effect.
 */
export type LargeCalls = {
  /** Counts a call, and reserves as much as the user's last call of this function held. Throws `too_much_in_flight` (429) if there is no room. */
  take(share: Share, functionName: string): void
  /** Remembers how much a call holds, or would hold if there were room for its response. */
  note(share: Share, functionName: string, executed: Executed): void
}

/** Maximum number of pairs of a user and a function that are remembered. */
const REMEMBERED = 10_000
/** After this time, the next call reserves nothing, so that a function whose responses have become small is not refused for ever. */
const REMEMBERED_MS = 60_000

export function openLargeCalls(): LargeCalls {
  const large = new Map<string, { readonly bytes: number; readonly until: number }>()
  const keyOf = ({ tenant }: Share, functionName: string) => `${tenant.appKey}\0${tenant.userId}\0${functionName}`

  return {
    take(share, functionName) {
      const last = large.get(keyOf(share, functionName))
      takeForCall(share, last !== undefined && performance.now() < last.until ? last.bytes : RESPONSE_ROOM)
    },
    note(share, functionName, executed) {
      const room = executed.kind === 'answered' ? 0 : executed.failure.room
      if (room === undefined) return
      const bytes = share.used + room
      const key = keyOf(share, functionName)
      large.delete(key)
      if (bytes <= RESPONSE_ROOM) return
      large.set(key, { bytes, until: performance.now() + REMEMBERED_MS })
      const [oldest] = large.keys()
      if (oldest !== undefined && large.size > REMEMBERED) large.delete(oldest)
    },
  }
}
