import { type AppFunction, type Cursor, sortKeys } from '@onward/catalog'
import { parseJson, writeJson } from '@onward/json'
import { openText, Refusal, refuseProblems, type Sealer, sealText, shapeProblem, type UserKey } from '@onward/runtime'
import type { Arguments } from '../catalog/validate.ts'

/** What a call asks for. */
type Asked = {
  readonly caller: UserKey
  readonly fn: AppFunction
  readonly accountId: number | null
  readonly args: Arguments
}

/**
 * Seals a cursor that is an address. Otherwise a caller could request any address of the app with it, past the rules and the functions of its
 * token. It opens only for the call that the rules have seen.
 */
export function sealCursor(sealer: Sealer, asked: Asked, cursor: Cursor | null | undefined): Cursor | null | undefined {
  return typeof cursor === 'string' ? sealText(sealer, cursor, purposeOf(asked)) : cursor
}

/**
 * Returns the cursor that a caller sent, in the shape that the function takes; null for the first page. In a query or a form, a cursor that is
 * not a text is sent as JSON text. Throws `invalid_parameters`.
 */
export function openCursor(sealer: Sealer, asked: Asked, sent: unknown): Cursor | null {
  if (sent === undefined || sent === null || sent === '') return null
  const { fn } = asked
  const cursor = fn.cursorIsAddress ? unseal(sealer, asked, sent) : (sent as Cursor)
  const problems = fn.checkCursor(cursor)
  const parsed = problems.length > 0 && typeof cursor === 'string' ? parse(cursor) : undefined
  if (parsed !== undefined && shapeProblem(parsed) === undefined && fn.checkCursor(parsed).length === 0) return parsed
  refuseProblems(problems)
  return cursor
}

function unseal(sealer: Sealer, asked: Asked, sent: unknown): string {
  const cursor = openText(sealer, sent, purposeOf(asked))
  if (cursor === undefined) {
    const problem = '_cursor: must be the _cursor of an earlier response, sent with the same arguments and account'
    throw new Refusal('invalid_parameters', 'the parameters are not valid', [problem])
  }
  return cursor
}

function purposeOf({ caller, fn, accountId, args }: Asked): string {
  return `cursor/${writeJson(sortKeys([caller.appKey, caller.userId, fn.name, accountId, args]))}`
}

function parse(text: string): Cursor | undefined {
  try {
    const value: unknown = parseJson(text)
    return typeof value === 'number' || (typeof value === 'object' && value !== null) ? (value as Cursor) : undefined
  } catch {
    return undefined
  }
}
