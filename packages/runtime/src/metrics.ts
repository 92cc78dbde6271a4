import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { shareMetrics } from './cluster.ts'
import type { Log } from './log.ts'

export { Counter, Gauge, Histogram } from 'prom-client'

/** Opens a registry. It is not the global one, so that two services in one process do not share their metrics. */
export function openMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  shareMetrics(registry, { service })
  collectDefaultMetrics({ register: registry, prefix: 'onward_' })
  return registry
}

export type Metrics = Registry

/**
 * Registers a gauge that is read at each scrape. While it cannot be read, it has no samples: its last value would look as if all were well.
 * `read` returns undefined if there is nothing to measure.
 */
export function openGauge(registry: Metrics, name: string, help: string, read: () => Promise<number | undefined>, log: Log): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.remove()
      try {
        const value = await read()
        if (value !== undefined) this.set(value)
      } catch (err) {
        log.warn({ err, metric: name }, 'a metric could not be read')
      }
    },
  })
}

/** Returns a function that reads a value. Calls during a read share it: the gauges of a scrape are read at the same time. */
export function shareReads<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
