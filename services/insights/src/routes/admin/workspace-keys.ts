import * as endpoints from '@onward/contract'
import { DAY_MS } from '@onward/contract'
import { isStorable, isUuid, newSecret, Refusal } from '@onward/runtime'
import type { Db } from '../../db/tables.ts'
import {
  type ApiKey,
  deleteOldKeys,
  deleteWorkspaceKey,
  insertWorkspaceKey,
  listWorkspaceKeys,
  replaceWorkspaceKey,
} from '../../db/workspace-keys.ts'
import { lockWorkspace } from '../../db/workspaces.ts'
import { adminRoute, invalidParameters, requireWorkspace } from '../route.ts'

/** Maximum number of keys of a workspace, including replaced and expired keys that are still shown. */
const MAX_KEYS = 100

export const createApiKeyRoute = adminRoute(endpoints.createApiKey, async (ctx, { params: { workspace_id: id }, body, noteChange }) => {
  const { name, scopes, expires_in_days: days } = body
  if (!isStorable(name)) throw invalidParameters('name: must not hold NUL or half of a surrogate pair')
  const text = newSecret('pk')
  const expiresAt = days === undefined ? null : new Date(Date.now() + days * DAY_MS)
  const key = await ctx.db.transaction().execute(async (tx) => {
    await lockKeys(tx, id)
    return await insertWorkspaceKey(tx, id, text, { name, scopes, expiresAt })
  })
  noteChange(null, shownKey(key))
  return { partner_api_key: text, key: shownKey(key) }
})

export const rotatePartnerKeyRoute = adminRoute(
  endpoints.rotatePartnerKey,
  async (ctx, { params: { workspace_id: id }, body: { key_id: keyId, keep_previous_hours: hours }, noteChange }) => {
    const text = newSecret('pk')
    const { previous, until, key } = await ctx.db.transaction().execute(async (tx) => {
      const previous = chooseKey(await lockKeys(tx, id), keyId)
      const key = await insertWorkspaceKey(tx, id, text, previous)
      return { previous, key, until: await replaceWorkspaceKey(tx, id, previous.id, key.id, hours) }
    })
    noteChange(shownKey(previous), { ...shownKey(key), keep_previous_hours: hours })
    return { workspace_id: id, key_id: key.id, partner_api_key: text, previous_valid_until: until.toISOString() }
  },
)

/** Returns the key with an id, or the only key that can be rotated. */
function chooseKey(all: readonly ApiKey[], id: string | undefined): ApiKey {
  const now = new Date()
  const keys = all.filter(({ isReplaced, expiresAt }) => !isReplaced && (expiresAt === null || expiresAt > now))
  if (id === undefined && keys.length > 1) throw invalidParameters('key_id: is needed, because the workspace has several API keys')
  const key = id === undefined ? keys[0] : keys.find((each) => each.id === id)
  if (key === undefined) throw noKey()
  return key
}

export const revokeApiKeyRoute = adminRoute(
  endpoints.revokeApiKey,
  async (ctx, { params: { workspace_id, key_id: keyId }, noteChange }) => {
    const { id } = await requireWorkspace(ctx.db, workspace_id)
    const key = isUuid(keyId) ? await deleteWorkspaceKey(ctx.db, id, keyId) : undefined
    if (key === undefined) throw noKey()
    noteChange(shownKey(key), null)
    return { success: true as const }
  },
)

/** Locks a workspace, so that its keys change one after the other. Returns the keys that are shown, and throws if no other one may be added. */
async function lockKeys(tx: Db, id: string): Promise<ApiKey[]> {
  const workspace = isStorable(id) ? await lockWorkspace(tx, id) : undefined
  if (workspace === undefined || workspace.isDeleted) throw new Refusal('workspace_not_found', 'there is no such workspace')
  await deleteOldKeys(tx, id)
  const keys = await listWorkspaceKeys(tx, id)
  if (keys.length < MAX_KEYS) return keys
  throw new Refusal('too_many_api_keys', `the workspace already has ${MAX_KEYS} API keys, with those that were replaced or have expired`)
}

function noKey(): Refusal {
  return new Refusal('api_key_not_found', 'there is no such API key')
}

/** Returns a key as the API presents it. */
export function shownKey({ id, name, masked, scopes, createdAt, lastUsedAt, expiresAt, isReplaced }: ApiKey) {
  return {
    id,
    name,
    masked,
    scopes: [...scopes],
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
    expires_at: expiresAt?.toISOString() ?? null,
    replaced: isReplaced,
  }
}
