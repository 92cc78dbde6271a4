import { findEndedBlocks } from '../db/blocking.ts'
import { readUsages } from '../db/periods.ts'
import { lockUsers } from '../db/users.ts'
import { type PublishParts, publishBlocking } from './publish-blocking.ts'
import { updateBlocking } from './update-blocking.ts'

const PAGE = 500

/** Updates blocked users whose period has ended. Unblocks them, except that a limit of 0 blocks the next period too. */
export async function endBlocking(parts: PublishParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const keys = await findEndedBlocks(parts.db, PAGE)
    if (keys.length === 0) return
    const changes = await parts.db.transaction().execute(async (tx) => {
      await lockUsers(tx, keys)
      return await updateBlocking(tx, await readUsages(tx, keys))
    })
    await publishBlocking(parts, changes)
    if (keys.length < PAGE) return
  }
}
