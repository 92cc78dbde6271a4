import { ERROR_STATUS } from '@onward/contract'
import { type Log, Refusal } from '@onward/runtime'
import type { ErrorRequestHandler } from 'express'
import { PageProblem } from '../../connect/pages/page-problem.ts'
import { problemPage } from '../../connect/pages/problem-page.ts'
import { sendReply } from './send-reply.ts'

/** The one place where a failure becomes a page. Neither the path nor the query is logged: they hold tokens. */
export function answerPageErrors(log: Log): ErrorRequestHandler {
  return (err, req, res, _next) => {
    if (!(err instanceof PageProblem) && statusOf(err) === 500) log.error({ err, method: req.method }, 'a connect page failed')
    if (res.headersSent) {
      res.destroy()
      return
    }
    sendReply(res, problemPage(err instanceof PageProblem ? err : toProblem(err)))
  }
}

function toProblem(err: unknown): PageProblem {
  const status = statusOf(err)
  if (status === 500) return new PageProblem(500, 'Something went wrong', 'This is our fault, not yours. Please try again in a while.')
  if (err instanceof Refusal && err.code === 'https_required') {
    return new PageProblem(status, 'This page needs a secure connection', 'Open it with https:// instead of http://.')
  }
  return new PageProblem(status, 'This could not be read', 'Go back to where you came from and start again.')
}

/** Of a Refusal of ours, or of what Express and its parsers throw. */
function statusOf(err: unknown): number {
  if (err instanceof Refusal) return ERROR_STATUS[err.code]
  const { status } = (err ?? {}) as { status?: unknown }
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
