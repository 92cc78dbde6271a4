import { createHash } from 'node:crypto'
import { Refusal } from '@onward/runtime'
import type { RequestHandler } from 'express'
import { findKeyOwner } from './db/partner-keys.ts'
import type { Db } from './db/tables.ts'

/** Who calls: the partner (workspace) whose API key it is. */
export type Caller = { readonly partnerId: string }

/** Only the header counts: a key in the query would end up in logs. */
export function authenticate(db: Db): RequestHandler {
  return async (req, res, next) => {
    const key = req.headers['api-key']
    const partnerId = typeof key === 'string' && key !== '' ? await findKeyOwner(db, digestOfKey(key)) : undefined
    if (partnerId === undefined) throw new Refusal('unauthenticated', 'send a valid partner API key in the header api-key')
    const caller: Caller = { partnerId }
    res.locals.caller = caller
    next()
  }
}

/** Keys are stored as SHA-256 only: they are random and long, so that a slow hash would add nothing. */
export function digestOfKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
