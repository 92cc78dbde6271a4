import type { Migrations } from '@onward/runtime'
import { up as firstSchema } from './20261122T000000Z-first-schema.ts'
import { up as reconciliation } from './20261122T183500Z-reconciliation.ts'

export const migrations: Migrations = {
  '20261122T000000Z-first-schema': { up: firstSchema },
  '20261122T183500Z-reconciliation': { up: reconciliation },
}
