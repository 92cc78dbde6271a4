import type { Cursor } from '@onward/catalog'
import { writeJson } from '@onward/json'

/**
 * Takes `connected_account_id` out of the arguments of a call, where published clients may send it. Returns undefined if it is absent, or if
 * the function has a parameter of that name.
 */
export function takeAccountId(
  args: Record<string, unknown>,
  parameters: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const { connected_account_id: id } = args
  const isId = typeof id === 'number' || typeof id === 'string'
  if (!isId || parameters === undefined || Object.hasOwn(parameters, 'connected_account_id')) return undefined
  delete args.connected_account_id
  return String(id)
}

/**
 * Returns the `_cursor` of a call as text; undefined on the last page. The Python client accepts no other type, and no null. A call accepts
 * the text where the function's cursor is a number or an object.
 */
export function publishedCursor(cursor: Cursor | null | undefined): string | undefined {
  if (cursor === undefined || cursor === null) return undefined
  return typeof cursor === 'string' ? cursor : writeJson(cursor)
}
