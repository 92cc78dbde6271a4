import { sortKeys } from '@onward/catalog'
import { writeJson } from '@onward/json'
import { openText, Refusal, type Sealer, sealText, type UserKey } from '@onward/runtime'
import type { Step } from './cut.ts'

/** Where the result of a call continues: the app's cursor of its page, and the steps to what earlier results have not shown of this page. */
export type Place = { readonly cursor: unknown; readonly steps: readonly Step[] }

/** A call without its cursor. */
type Asked = {
  readonly caller: UserKey
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly fields: readonly string[] | null
}

const PREFIX = 'rest_'

/** Returns the `_cursor` of a result that was cut. It is good for the same call only, so that no other output is continued with it. */
export function sealPlace(sealer: Sealer, asked: Asked, { cursor, steps }: Place): string {
  return `${PREFIX}${sealText(sealer, writeJson([cursor ?? null, steps]), purposeOf(asked))}`
}

/** Returns the place of a `_cursor` of `sealPlace`. Any other `_cursor` is the app's, of a page from its beginning. */
export function openPlace(sealer: Sealer, asked: Asked, sent: unknown): Place {
  if (typeof sent !== 'string' || !sent.startsWith(PREFIX)) return { cursor: sent, steps: [] }
  const place = openText(sealer, sent.slice(PREFIX.length), purposeOf(asked))
  if (place === undefined) {
    const problem = '_cursor: must be the _cursor of an earlier result, sent with the same arguments and the same _fields'
    throw new Refusal('invalid_parameters', 'the parameters are not valid', [problem])
  }
  const [cursor, steps] = JSON.parse(place)
  return { cursor, steps }
}

function purposeOf({ caller, name, args, fields }: Asked): string {
  return `mcp-rest/${writeJson(sortKeys([caller.appKey, caller.userId, name, args, fields]))}`
}
