import { Counter, Gauge, type Log, type Metrics } from '@onward/runtime'
import type { Kysely } from 'kysely'

import { measureOutbox } from './db/outbox.ts'
import type { Tables } from './db/tables.ts'

export type Measured = { readonly calls: Counter<'app' | 'outcome'> }

/** The service's own figures. Those of the outbox are read from Postgres when they are asked for. */
export function openMeasured(registry: Metrics, db: Kysely<Tables>, log: Log): Measured {
  const registers = [registry]
  const oldest = new Gauge({ name: 'onward_functions_outbox_oldest_seconds', help: 'Age of the oldest unconfirmed outbox row.', registers })
  new Gauge({
    name: 'onward_functions_outbox_rows',
    help: 'Outbox rows that insights has not confirmed yet.',
    registers,
    async collect() {
      try {
        const { rows, oldestSeconds } = await measureOutbox(db)
        this.set(rows)
        oldest.set(oldestSeconds)
      } catch (err) {
        log.warn({ err }, 'the outbox could not be measured')
      }
    },
  })
  const calls = new Counter({
    name: 'onward_functions_calls_total',
    help: 'Executed function calls by app and outcome.',
    labelNames: ['app', 'outcome'] as const,
    registers,
  })
  return { calls }
}
