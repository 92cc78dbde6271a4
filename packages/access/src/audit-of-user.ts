import type { UserKey } from '@onward/runtime'
import { type RawBuilder, sql } from 'kysely'
import type { UserTable } from './user-rows.ts'

/** The audit entries about a user: their parameters or values name the App-Key and the User-ID. */
export const AUDIT_OF_USER: UserTable = { key: { id: 'uuid' }, secret: ['read_key'], isOf: isAboutUser, scanned: true }

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
