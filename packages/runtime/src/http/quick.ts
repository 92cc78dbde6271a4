import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'

/** Answers a request without Express's router, and returns true; returns false for a request that the router must answer. */
export type QuickHandler = (req: Request, res: Response) => boolean

/**
 * Returns a handler of the requests for one endpoint. It runs Express handlers in order, and the error handler when one of them fails. The
 * router would compare the request with every route first, which takes longer than all handlers of a call. `path` matches the target of a
 * request with the name in the path; targets that are written in another way go to the router.
 */
export function quickly(method: string, path: RegExp, handlers: readonly RequestHandler[], sendError: ErrorRequestHandler): QuickHandler {
  return (req, res) => {
    const found = req.method === method ? path.exec(req.url) : null
    if (found === null) return false
    // As Express sets them.
    req.res = res
    req.originalUrl = req.url
    req.baseUrl = ''
    req.params = found.groups ?? {}
    res.req = req
    res.locals = Object.create(null)
    let at = 0
    function next(err?: unknown): void {
      const handler = handlers[at++]
      if (err !== undefined || handler === undefined) return void sendError(err, req, res, () => {})
      try {
        const running: unknown = handler(req, res, next)
        if (running instanceof Promise) running.catch(next)
      } catch (thrown) {
        next(thrown)
      }
    }
    next()
    return true
  }
}
