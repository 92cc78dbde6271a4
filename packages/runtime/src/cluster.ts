import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Log } from './log.ts'
import { uuidv7 } from './uuid.ts'

/** How long the primary process waits before it replaces a worker that ended. */
const RESTART_MS = 1_000

/** From a worker whose service has started, to the primary process. */
const STARTED = 'started'
/** Between a worker that wants the metrics of all workers and the primary process; the response has the same id. */
type MetricsMessage = { readonly metricsId: string; readonly text?: string }
/** Between the primary process, which collects metrics, and each worker; the response has the same id. */
type CollectMessage = { readonly collectId?: string; readonly metrics?: object[] }

/** Less than the 10 s after which Prometheus gives up a scrape. */
const COLLECT_MS = 3_000

/**
 * Runs a program in `count` processes that share its ports. Call it in the primary process. The workers run the same program, and call
 * `reportStart`. The first worker starts alone, so an error in the settings is printed once.
 *
 * A worker that ends is replaced after a second. If no other worker has started then, the program ends with 1, so that its supervisor
 * decides. SIGTERM and SIGINT stop all workers, and the program ends after the last one.
 *
 * The primary process accepts the connections and passes each to the next worker. A connection that it passes at the moment at which this
 * worker is killed gets no response, and stays open until its client gives up.
 */
export function runWorkers(count: number, log: Log): void {
  const running = new Set<Worker>()
  const started = new Set<Worker>()
  let stopping = false
  let code = 0

  function start(): void {
    if (stopping || running.size >= count) return
    const worker = cluster.fork()
    running.add(worker)
    worker.on('message', (message: unknown) => {
      if (message !== STARTED) return
      started.add(worker)
      for (let missing = count - running.size; missing > 0; missing--) start()
    })
  }

  function stop(): void {
    stopping = true
    for (const worker of running) worker.process.kill('SIGTERM')
  }

  cluster.on('exit', (worker, exitCode, signal) => {
    running.delete(worker)
    started.delete(worker)
    if (stopping) {
      // A worker that is still starting has no handler for SIGTERM.
      if (exitCode !== 0 && signal !== 'SIGTERM') code = 1
    } else {
      log.error({ process: worker.id, code: exitCode, signal }, 'a process ended unexpectedly')
      if (started.size > 0) setTimeout(start, RESTART_MS)
      else {
        code = 1
        stop()
      }
    }
    if (running.size === 0) process.exit(code)
  })
  serveMetrics(started)
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  start()
}

/** Tells the primary process, if there is one, that the service of this process has started. */
export function reportStart(): void {
  if (cluster.isWorker) process.send?.(STARTED)
}

/**
 * Makes the metrics of a worker available to the others, with its number as the label `process`. Without this label, the sums of all workers
 * would fall when one of them ends, and Prometheus would take that for a restart of all.
 */
export function shareMetrics(registry: Registry, labels: Readonly<Record<string, string>>): void {
  if (!cluster.isWorker) return
  registry.setDefaultLabels({ ...labels, process: String(cluster.worker?.id) })
  process.on('message', async ({ collectId }: CollectMessage) => {
    if (collectId === undefined) return
    const metrics = await registry.getMetricsAsJSON()
    process.send?.({ collectId, metrics } satisfies CollectMessage)
  })
}

/**
 * Returns the metrics of this process, or of all workers, as text for Prometheus. A worker that is starting, or that does not answer within
 * 3 s, is left out.
 */
export async function readMetrics(registry: Registry): Promise<string> {
  if (!cluster.isWorker) return await registry.metrics()
  const metricsId = uuidv7()
  return await new Promise((resolve) => {
    process.on('message', function onMessage(message: MetricsMessage) {
      if (message.metricsId !== metricsId) return
      process.off('message', onMessage)
      resolve(message.text ?? '')
    })
    process.send?.({ metricsId } satisfies MetricsMessage)
  })
}

function serveMetrics(started: ReadonlySet<Worker>): void {
  cluster.on('message', async (worker, { metricsId }: Partial<MetricsMessage>) => {
    if (metricsId === undefined) return
    const collected = await Promise.all([...started].map(collectMetrics))
    const text = await AggregatorRegistry.aggregate(collected.filter((metrics) => metrics !== undefined)).metrics()
    // The worker may have ended. Without a callback, the error would end the primary process.
    worker.send({ metricsId, text } satisfies MetricsMessage, () => {})
  })
}

function collectMetrics(worker: Worker): Promise<object[] | undefined> {
  const collectId = uuidv7()
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), COLLECT_MS)
    function finish(metrics: object[] | undefined): void {
      clearTimeout(timer)
      worker.off('message', onMessage).off('exit', onExit)
      resolve(metrics)
    }
    const onExit = () => finish(undefined)
    const onMessage = (message: CollectMessage) => message.collectId === collectId && finish(message.metrics)
    worker.on('message', onMessage).on('exit', onExit)
    worker.send({ collectId } satisfies CollectMessage, (err) => {
      if (err) finish(undefined)
    })
  })
}
