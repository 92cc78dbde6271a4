import { openShares } from '@onward/runtime'
import type { RequestHandler } from 'express'

/**
 * How many requests are in progress at once in a process. Each may hold a body of 2 MB, or two pages of 10,000 users. One workspace alone
 * gets a quarter of them, and less while others use many.
 */
const REQUESTS = 64

/**
 * Returns a handler that lets a request wait while its workspace has too many in progress. A request is in progress until its connection has
 * sent the response. Call it once in a process: all ways to send a request share what it counts.
 */
export function openAdmission(): RequestHandler {
  const requests = openShares(REQUESTS)
  return (_req, res, next) => {
    // If the caller disconnected during the authentication, `close` came already, and the share would stay open.
    if (res.closed) return
    const share = requests.open({ appKey: res.locals.caller.workspaceId, userId: '' })
    res.once('close', () => share.close())
    share.takeLater(1, () => next())
  }
}
