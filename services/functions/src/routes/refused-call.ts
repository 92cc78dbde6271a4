import { requestIdOf, type UserKey } from '@onward/runtime'
import type { ErrorRequestHandler, Response } from 'express'
import type { Context } from '../context.ts'

/** Stores that a call of a function was refused. */
export function addRefusedCall(
  { calls, catalog }: Pick<Context, 'calls' | 'catalog'>,
  res: Response,
  functionName: string,
  err: unknown,
): void {
  const { appKey, userId }: UserKey = res.locals.caller
  const app = catalog.current.functions.get(functionName)?.fn.app.name ?? null
  const made = { via: null, requestId: requestIdOf(res), tokenId: null }
  calls.refused.add({ appKey, userId, functionName, app, ...made }, err)
}

/**
 * Returns an error handler that stores refused calls, and passes the error on. Stores no request without valid credentials, no dry run, and
 * no call that is in the calls log.
 */
export function storeRefusedCalls(ctx: Context): ErrorRequestHandler {
  return (err, req, res, next) => {
    const isCall = req.query.dry_run === undefined || req.query.dry_run === 'false'
    if (res.locals.caller !== undefined && isCall && !res.hasHeader('X-Call-ID'))
      addRefusedCall(ctx, res, String(req.params.function_name), err)
    next(err)
  }
}
