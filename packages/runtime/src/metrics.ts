import { collectDefaultMetrics, Registry } from 'prom-client'

export { Counter, Gauge, Histogram } from 'prom-client'

/** Opens a registry. It is not the global one, so that two services in one process do not share their metrics. */
export function openMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  collectDefaultMetrics({ register: registry, prefix: 'onward_' })
  return registry
}

export type Metrics = Registry
