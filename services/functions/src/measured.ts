import { Counter, Gauge, type Log, type Metrics } from '@onward/runtime'
import type { Kysely } from 'kysely'

import { measureOutbox } from './db/outbox.ts'
import type { Tables } from './db/tables.ts'

export type Measured = { readonly calls: Counter<'app' | 'outcome'> }

/** The service's own figures. Those of the outbox are read from Postgres when they are asked for. */
export function openMeasured(registry: Metrics, db: Kysely<Tables>, countQuarantined: () => number, log: Log): Measured {
  const registers = [registry]

  /** Each gauge measures for itself: one set by the other's measurement would tell that of the time before. */
  function outboxGauge(name: string, help: string, read: (measured: { rows: number; oldestSeconds: number }) => number): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        try {
          this.set(read(await measureOutbox(db)))
        } catch (err) {
          log.warn({ err }, 'the outbox could not be measured')
        }
      },
    })
  }

  outboxGauge('onward_functions_outbox_rows', 'Outbox rows that insights has not confirmed yet.', ({ rows }) => rows)
  outboxGauge('onward_functions_outbox_oldest_seconds', 'Age of the oldest unconfirmed outbox row.', ({ oldestSeconds }) => oldestSeconds)
  new Gauge({
    name: 'onward_functions_quarantined',
    help: 'Functions and whole apps that are left out of the catalog.',
    registers,
    collect() {
      this.set(countQuarantined())
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
