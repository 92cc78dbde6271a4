import type { Migrations } from '@onward/runtime'
import { up as start } from './20260101T000000Z-start.ts'
import { up as usageDay } from './20261121T150000Z-usage-day.ts'
import { up as limitState } from './20261121T160000Z-limit-state.ts'
import { up as eventPartitions } from './20261121T170000Z-event-partitions.ts'
import { up as subscriptionSecrets } from './20261121T180000Z-subscription-secrets.ts'
import { up as deliveryClaims } from './20261121T190000Z-delivery-claims.ts'
import { up as limitChanges } from './20261121T200000Z-limit-changes.ts'
import { up as changePasses } from './20261121T211500Z-change-passes.ts'
import { up as liveAfter } from './20261122T030000Z-live-after.ts'

export const migrations: Migrations = {
  '20260101T000000Z-start': { up: start },
  '20261121T150000Z-usage-day': { up: usageDay },
  '20261121T160000Z-limit-state': { up: limitState },
  '20261121T170000Z-event-partitions': { up: eventPartitions },
  '20261121T180000Z-subscription-secrets': { up: subscriptionSecrets },
  '20261121T190000Z-delivery-claims': { up: deliveryClaims },
  '20261121T200000Z-limit-changes': { up: limitChanges },
  '20261121T211500Z-change-passes': { up: changePasses },
  '20261122T030000Z-live-after': { up: liveAfter },
}
