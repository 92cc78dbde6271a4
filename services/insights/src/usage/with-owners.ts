import { type Owner, readOwners } from '../db/partners.ts'
import type { Db } from '../db/tables.ts'
import type { User } from '../db/users.ts'

export type Owned = User & { readonly partner: Owner | undefined }

/** Locked users with the partner whose they are. Read after the lock: what is changed later finds these users, and what we do, there. */
export async function withOwners(tx: Db, users: readonly User[]): Promise<Owned[]> {
  if (users.length === 0) return []
  const owners = await readOwners(tx, [...new Set(users.map((user) => user.appKey))])
  return users.map((user) => ({ ...user, partner: owners.get(user.appKey) }))
}
