import type { Migrations } from '@onward/runtime'
import { firstSchema } from './20261122T000000Z-first-schema.ts'
import { reconciliation } from './20261122T183500Z-reconciliation.ts'
import { queueSettings } from './20261122T192000Z-queue-settings.ts'
import { renewalHolder } from './20261122T201500Z-renewal-holder.ts'

export const migrations: Migrations = {
  '20261122T000000Z-first-schema': firstSchema,
  '20261122T183500Z-reconciliation': reconciliation,
  '20261122T192000Z-queue-settings': queueSettings,
  '20261122T201500Z-renewal-holder': renewalHolder,
}
