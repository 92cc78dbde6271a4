import type { Request } from 'express'
import { PageProblem } from '../../connect/pages/page-problem.ts'

/**
 * Refuses a form that a page of somebody else sent. Under our referrer policy browsers name the origin `null`; those tell by
 * Sec-Fetch-Site whether it is ours. One that tells neither is held by the session's token, which only our page has.
 */
export function requireOwnOrigin(req: Request, publicUrl: string): void {
  const { origin, 'sec-fetch-site': site } = req.headers
  const ours = origin === undefined || origin === 'null' || origin === new URL(publicUrl).origin
  if (!ours || (site !== undefined && site !== 'same-origin')) {
    throw new PageProblem(403, 'This form was sent from another site', 'Go back to where you came from and start again.')
  }
}
