import { Gauge, type Log, type Metrics, measurePartitions } from '@onward/runtime'
import { measureDeliveries } from './db/measure-deliveries.ts'
import { countQuarantine } from './db/quarantine.ts'
import { countDisabled } from './db/subscriptions.ts'
import type { Db } from './db/tables.ts'
import { EVENTS } from './retention/events.ts'

const PREFIX = 'onward_insights'

/** Adds the figures that are read from Postgres when they are asked for. */
export function openGauges(metrics: Metrics, db: Db, log: Log): void {
  function gauge(name: string, help: string, read: () => Promise<number>): void {
    new Gauge({
      name: `${PREFIX}_${name}`,
      help,
      registers: [metrics],
      async collect() {
        try {
          this.set(await read())
        } catch (err) {
          log.warn({ err, name }, 'a figure could not be measured')
        }
      },
    })
  }
  let measuring: ReturnType<typeof measureDeliveries> | undefined
  /** All gauges of a scrape are read at the same time: they share one look at what is pending. */
  async function deliveries() {
    measuring ??= measureDeliveries(db).finally(() => {
      measuring = undefined
    })
    return await measuring
  }
  measurePartitions(metrics, PREFIX, db, EVENTS, log)
  gauge('quarantine_rows', 'Task events and jobs that wait in quarantine.', async () => await countQuarantine(db))
  gauge('deliveries_due', 'Webhook deliveries that are due and that nobody has in hand.', async () => (await deliveries()).due)
  gauge(
    'delivery_oldest_due_seconds',
    'For how long the oldest of the due webhook deliveries has been due.',
    async () => (await deliveries()).oldestSeconds,
  )
  gauge('subscriptions_disabled', 'Subscriptions that are disabled.', async () => await countDisabled(db))
}
