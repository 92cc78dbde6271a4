import type { UserKey } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { Scan } from './scan-user.ts'
import type { UserTable } from './user-rows.ts'

/** The audit entries about a user: their parameters or values name the App-Key and the User-ID. */
export const AUDIT_OF_USER: UserTable = { key: { id: 'uuid' }, secret: ['read_key'], isOf: isAboutUser, scanned: true }

/** Replaces a User-ID in the audit entries about the user: in parameters and values, and as the actor. */
export function renameInAudit(user: UserKey, pseudonym: string): Scan {
  const [from, to] = [formsOf('user_id', user.userId), formsOf('user_id', pseudonym)]
  const renamed = (column: string) =>
    sql`${sql.ref(column)} = ${from.reduce<RawBuilder<unknown>>(
      (text, form, n) => sql`replace(${text}, ${form}, ${to[n]})`,
      sql`${sql.ref(column)}::text`,
    )}::jsonb`
  const actor = (column: string) =>
    sql`${sql.ref(column)} = case when actor_kind = 'user' and actor_id = ${user.userId} then ${pseudonym} else ${sql.ref(column)} end`
  return {
    key: ['id', 'uuid'],
    isOf: isAboutUser,
    change: (keys) => [
      sql`update audit_entry set ${renamed('target')}, ${renamed('before')}, ${renamed('after')}, ${actor('actor_id')}, ${actor('actor_name')}
        where id = any(${keys})`,
    ],
  }
}

function isAboutUser({ appKey, userId }: UserKey): RawBuilder<unknown> {
  const text = sql`concat_ws(' ', target::text, before::text, after::text)`
  const names = (name: string, value: string) =>
    sql`(${sql.join(
      formsOf(name, value).map((form) => sql`strpos(${text}, ${form}) > 0`),
      sql` or `,
    )})`
  return sql`${names('user_id', userId)} and ${names('app_key', appKey)}`
}

/** Returns the texts of a property in a jsonb value, and in the beginning of a JSON text that was too long for the audit log. */
function formsOf(name: string, value: string): string[] {
  const [key, text] = [JSON.stringify(name), JSON.stringify(value)]
  return [`${key}: ${text}`, JSON.stringify(`${key}:${text}`).slice(1, -1)]
}
