import { collectDefaultMetrics, Registry } from 'prom-client'
import { shareMetrics } from './cluster.ts'

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
