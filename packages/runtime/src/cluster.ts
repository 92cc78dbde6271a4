import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Log } from './log.ts'
import { uuidv7 } from './uuid.ts'

/** How long the primary process waits before it replaces a worker that ended. */
const RESTART_MS = 1_000

/** From a worker whose service has started, to the primary process. */
const STARTED = 'started'
/** Between a worker that wants the metrics of all workers and the primary process; the response has the same id. */
type MetricsMessage = { readonly metricsId: string; readonly text?: string; readonly error?: string }

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
  serveMetrics()
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
  AggregatorRegistry.setRegistries(registry)
  // Answers the requests of the primary process.
  new AggregatorRegistry()
}

/** Returns the metrics of this process, or of all workers, as text for Prometheus. Rejects if a worker does not answer within 5 s. */
export async function readMetrics(registry: Registry): Promise<string> {
  if (!cluster.isWorker) return await registry.metrics()
  const metricsId = uuidv7()
  return await new Promise((resolve, reject) => {
    process.on('message', function onMessage(message: MetricsMessage) {
      if (message.metricsId !== metricsId) return
      process.off('message', onMessage)
      if (message.text === undefined) reject(new Error(message.error))
      else resolve(message.text)
    })
    process.send?.({ metricsId } satisfies MetricsMessage)
  })
}

function serveMetrics(): void {
  const registry = new AggregatorRegistry()
  cluster.on('message', async (worker, { metricsId }: Partial<MetricsMessage>) => {
    if (metricsId === undefined) return
    const response = await registry.clusterMetrics().then(
      (text) => ({ text }),
      (err: Error) => ({ error: err.message }),
    )
    if (worker.isConnected()) worker.send({ metricsId, ...response } satisfies MetricsMessage)
  })
}
