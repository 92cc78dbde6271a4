import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { shareMetrics } from './cluster.ts'
import type { Log } from './log.ts'
import { inTime } from './time.ts'
import { VERSION } from './version.ts'

export { Counter, Gauge, Histogram } from 'prom-client'

/** Opens a registry. It is not the global one, so that two services in one process do not share their metrics. */
export function openMetrics(service: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ service })
  shareMetrics(registry, { service })
  collectDefaultMetrics({ register: registry, prefix: 'onward_' })
  const labelNames = ['version', 'node'] as const
  const build = new Gauge({
    name: 'onward_build_info',
    help: 'Always 1. The version of Onward and of Node.',
    labelNames,
    registers: [registry],
  })
  build.set({ version: VERSION, node: process.versions.node }, 1)
  // The one of prom-client is left out of the metrics of several processes.
  const started = new Gauge({ name: 'onward_started_seconds', help: 'Unix time at which this process started.', registers: [registry] })
  started.set(Math.round(performance.timeOrigin / 1_000))
  return registry
}

export type Metrics = Registry

/** Less than the time after which the metrics of a process are left out, so that the others are read while Postgres does not respond. */
const READ_MS = 2_000

type GaugeName<L extends string> = {
  readonly name: string
  readonly help: string
  /** The label of the samples, if there are several. */
  readonly label?: L
}

/**
 * Registers a gauge that is read at each scrape: a number, or numbers by the value of the label. While it cannot be read, it has no samples:
 * its last value would look as if all were well. `read` returns undefined if there is nothing to measure.
 */
export function openGauge<L extends string = never>(
  registry: Metrics,
  { label, ...names }: GaugeName<L>,
  read: () => Promise<number | Readonly<Record<string, number>> | undefined>,
  log: Log,
): void {
  const gauge = new Gauge({
    ...names,
    labelNames: label === undefined ? [] : [label],
    registers: [registry],
    async collect() {
      gauge.reset()
      if (label === undefined) gauge.remove()
      try {
        const found = await inTime(READ_MS, read())
        if (typeof found === 'number') gauge.set(found)
        else for (const [key, value] of Object.entries(found ?? {})) gauge.labels(key).set(value)
      } catch (err) {
        log.warn({ err, metric: names.name }, 'a metric could not be read')
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
