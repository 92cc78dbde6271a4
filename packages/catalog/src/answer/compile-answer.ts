import { isDeepStrictEqual } from 'node:util'
import type { Page, Paging } from '../paging/paging.ts'
import type { Base } from '../request/base-url.ts'
import type { AppFunction, Credentials, Cursor } from '../types.ts'
import { compilePointer } from './pointer.ts'

type Reading = {
  /** JSON Pointer to the output. */
  readonly output: string
  readonly paging: Paging | null
  readonly graphql: boolean
  /** Where the account's requests go; null when the credentials do not tell. */
  baseOf(account: Credentials): Base | null
}

/**
 * Compiles the reading of answers. Where `output` points at nothing, the output is the whole body: an app that answers 200 with an error
 * in the body (Slack's `ok: false`, GraphQL's `errors`) is then still understood.
 */
export function compileAnswer({ output, paging, graphql, baseOf }: Reading): AppFunction['answer'] {
  const read = compilePointer(output)
  return (status, body, current, headers = {}, account = {}) => {
    const whole = body ?? null
    if (status < 200 || status > 299 || (graphql && hasErrors(whole))) return { output: whole, cursor: paging ? null : undefined }
    const found = read(whole)
    const items = Array.isArray(found) ? found : []
    const cursor = paging ? nextCursor(paging, { body: whole, items, headers, base: baseOf(account), current }, found) : undefined
    return { output: found === undefined ? whole : found, cursor }
  }
}

/** A cursor that led to nothing, or that leads to itself, would go round for ever. */
function nextCursor(paging: Paging, page: Page, found: unknown): Cursor | null {
  if (page.current !== null && Array.isArray(found) && found.length === 0) return null
  const next = paging.next(page)
  return isDeepStrictEqual(next, page.current) ? null : next
}

function hasErrors(body: unknown): boolean {
  const errors = typeof body === 'object' && body !== null && 'errors' in body ? body.errors : undefined
  return Array.isArray(errors) && errors.length > 0
}
