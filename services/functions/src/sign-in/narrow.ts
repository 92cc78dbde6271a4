import type { UserKey } from '@onward/runtime'
import { lockMcpToken, type McpToken, type McpTokenLimits, storeMcpTokenLimits } from '../db/mcp-tokens.ts'
import type { Db } from '../db/tables.ts'

/** The new limits of a token. An undefined one does not change, and rules are added. */
export type Narrower = { readonly [K in keyof McpTokenLimits]?: NonNullable<McpTokenLimits[K]> | undefined }

type Narrowed =
  | { readonly kind: 'narrowed'; readonly before: McpToken; readonly after: McpToken }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'wider'; readonly problems: readonly string[] }

/** Makes a token of a user allow less. */
export async function narrowToken(db: Db, caller: UserKey, id: string, wanted: Narrower): Promise<Narrowed> {
  return await db.transaction().execute(async (tx) => {
    const before = await lockMcpToken(tx, caller, id)
    if (before === undefined) return { kind: 'not-found' }
    const problems = widenings(before, wanted)
    if (problems.length > 0) return { kind: 'wider', problems }
    const limits = {
      apps: wanted.apps ?? before.apps,
      functions: wanted.functions ?? before.functions,
      readOnly: wanted.readOnly ?? before.readOnly,
      rules: [...before.rules, ...(wanted.rules ?? [])],
    }
    await storeMcpTokenLimits(tx, id, limits)
    return { kind: 'narrowed', before, after: { ...before, ...limits } }
  })
}

const MAX_RULES = 100

/** Returns a problem for each part that would allow more than before. */
function widenings(before: McpTokenLimits, { apps, functions, readOnly, rules = [] }: Narrower): string[] {
  const added = (field: string, names: readonly string[] = [], allowed: readonly string[] | null) =>
    names.flatMap((name, index) => (allowed === null || allowed.includes(name) ? [] : [`${field}[${index}]: the token does not allow it`]))
  return [
    ...added('apps', apps, before.apps),
    ...added('functions', functions, before.functions),
    ...(before.readOnly && readOnly === false ? ['read_only: cannot be turned off'] : []),
    ...(before.rules.length + rules.length > MAX_RULES ? [`rules: the token would have more than ${MAX_RULES}`] : []),
  ]
}
