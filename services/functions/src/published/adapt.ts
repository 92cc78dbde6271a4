import { type ErrorBody, pageSize } from '@onward/contract'
import type { Request, RequestHandler, Response } from 'express'

/**
 * Lets an application with `client_profile: published` send what published clients send, and gives it the fields that they read:
 * - `GET` for one app and one function
 * - `page_size` above the maximum, which is reduced to it
 * - `detail` beside `error`; the Python client reads only that
 * - the apps of `/apps/list` as `functions` too; the Node client reads those when it lists the apps of all pages
 */
export const adaptToPublished: RequestHandler = (req, res, next) => {
  adaptMethod(req)
  if (LIST.test(req.path)) reducePageSize(req)
  adaptResponse(res, APP_LIST.test(req.path))
  next()
}

const LIST = /^\/(apps|functions|calls)\/list\/?$/i
const APP_LIST = /^\/apps\/list\/?$/i
const APP = /^\/apps\/(?!list\/?$)[^/]+\/?$/i
const APP_OR_FUNCTION = /^\/(apps|functions)\/[^/]+\/get\/?$/i

function adaptMethod(req: Request): void {
  if (req.method !== 'GET') return
  if (APP.test(req.path)) req.url = req.url.replace(/\/?(\?|$)/, '/get$1')
  if (APP_OR_FUNCTION.test(req.path)) req.method = 'POST'
}

function reducePageSize(req: Request): void {
  const { query, body } = req
  // Each access to `req.query` parses the query again, so a changed one takes the place of the getter.
  if (isAboveMaximum(query.page_size)) Object.defineProperty(req, 'query', { value: { ...query, page_size: String(pageSize.maximum) } })
  if (isAboveMaximum(Object(body).page_size)) body.page_size = pageSize.maximum
}

function isAboveMaximum(size: unknown): boolean {
  return (typeof size === 'string' ? /^\d+$/.test(size) : typeof size === 'number') && Number(size) > pageSize.maximum
}

function adaptResponse(res: Response, listsApps: boolean): void {
  const send = res.json.bind(res)
  res.json = (response) => {
    if (res.statusCode >= 400) return send({ ...response, detail: (response as ErrorBody).error })
    return send(listsApps ? { ...response, functions: response.apps } : response)
  }
}
