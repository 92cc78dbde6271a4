import type { Migrations } from '@onward/runtime'
import { first } from './2026-11-21-first.ts'
import { idempotency } from './2026-11-21-idempotency.ts'
import { importedApps } from './2026-11-21-imported-apps.ts'
import { oauth } from './2026-11-21-oauth.ts'
import { connect } from './2026-11-22-connect.ts'
import { limitState } from './2026-11-22-limit-state.ts'
import { outboxOrder } from './2026-11-22-outbox-order.ts'
import { embeddings } from './2026-11-23-embeddings.ts'
import { internalCalls } from './2026-11-23-internal-calls.ts'
import { pastPrompts } from './2026-11-23-past-prompts.ts'

export const migrations: Migrations = {
  '2026-11-21-first': first,
  '2026-11-21-idempotency': idempotency,
  '2026-11-21-imported-apps': importedApps,
  '2026-11-21-oauth': oauth,
  '2026-11-22-connect': connect,
  '2026-11-22-limit-state': limitState,
  '2026-11-22-outbox-order': outboxOrder,
  '2026-11-23-embeddings': embeddings,
  '2026-11-23-internal-calls': internalCalls,
  '2026-11-23-past-prompts': pastPrompts,
}
