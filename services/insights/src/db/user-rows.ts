import { AUDIT_OF_USER, type UserTable } from '@onward/access'
import type { UserKey } from '@onward/runtime'
import { sql } from 'kysely'

/** Returns the beginning of the event of a user, as a task event in quarantine has it. */
const property = (name: string, value: string) => `${JSON.stringify(name)}:${JSON.stringify(value)}`

const isInEvent = ({ appKey, userId }: UserKey) =>
  sql`strpos(event, ${property('app_key', appKey)}) > 0 and strpos(event, ${property('user_id', userId)}) > 0`

/** The tables with rows about users. */
export const USER_TABLES = {
  usage_user: { key: { user_id: 'text' } },
  usage_period: { key: { starts_at: 'timestamptz' } },
  usage_day: { key: { day: 'date' } },
  blocking: { key: { user_id: 'text' } },
  embed_session: { key: { id: 'uuid' }, secret: ['code_hash', 'token_hash'] },
  task_event: { key: { id: 'uuid' }, scanned: true },
  delivery: { key: { id: 'uuid' }, scanned: true },
  quarantine: { key: { id: 'bigint' }, secret: ['digest'], isOf: isInEvent, scanned: true },
  audit_entry: AUDIT_OF_USER,
} as const satisfies Readonly<Record<string, UserTable>>
