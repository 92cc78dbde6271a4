import { Counter, Gauge, type Log, type Metrics, measurePartitions } from '@onward/runtime'
import type { Kysely } from 'kysely'

import { CALLS } from './call/retain.ts'
import { measureOutbox } from './db/outbox.ts'
import { measureProcesses } from './db/processes.ts'
import type { Tables } from './db/tables.ts'
import type { Limits } from './limits/follow-limits.ts'

export type Measured = { readonly calls: Counter<'app' | 'outcome'>; readonly refused: Counter; readonly resent: Counter }

type Sources = { readonly db: Kysely<Tables>; readonly limits: Pick<Limits, 'count'>; countQuarantined(): number; readonly log: Log }

/** The service's own figures. Those of the outbox are read from Postgres when they are asked for. */
export function openMeasured(registry: Metrics, { db, limits, countQuarantined, log }: Sources): Measured {
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
  function processGauge(name: string, help: string, read: (measured: { silent: number; oldestAttemptSeconds: number }) => number): void {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        try {
          this.set(read(await measureProcesses(db)))
        } catch (err) {
          log.warn({ err }, 'processes could not be measured')
        }
      },
    })
  }

  processGauge('onward_functions_processes_silent', 'Processes that have not shown for 30 s that they live.', ({ silent }) => silent)
  processGauge(
    'onward_functions_call_oldest_seconds',
    'For how long the oldest call has been under way, or waits to be settled.',
    ({ oldestAttemptSeconds }) => oldestAttemptSeconds,
  )
  measurePartitions(registry, 'onward_functions', db, CALLS, log)
  new Gauge({
    name: 'onward_functions_quarantined',
    help: 'Functions and whole apps that are left out of the catalog.',
    registers,
    collect() {
      this.set(countQuarantined())
    },
  })
  new Gauge({
    name: 'onward_functions_blocked_users',
    help: 'Users who are refused calls because they have used up their limit, and those who would be, had insights confirmed it in time.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { blocked, lapsed } = limits.count()
      this.set({ state: 'blocked' }, blocked)
      this.set({ state: 'lapsed' }, lapsed)
    },
  })
  const refused = new Counter({
    name: 'onward_functions_calls_refused_total',
    help: 'Calls that were not made because the user has used up the limit.',
    registers,
  })
  const resent = new Counter({
    name: 'onward_functions_tasks_resent_total',
    help: 'Tasks sent to insights once more, when asked to.',
    registers,
  })
  const calls = new Counter({
    name: 'onward_functions_calls_total',
    help: 'Executed function calls by app and outcome.',
    labelNames: ['app', 'outcome'] as const,
    registers,
  })
  return { calls, refused, resent }
}
