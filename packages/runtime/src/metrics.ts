import { collectDefaultMetrics, Registry } from 'prom-client'

export { Counter, Gauge, Histogram } from 'prom-client'

/** A registry of our own rather than the global one, so that two services in one process don't share figures. */
export function openMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, prefix: 'onward_' })
  return registry
}

export type Metrics = Registry
