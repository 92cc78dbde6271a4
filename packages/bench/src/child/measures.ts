import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What one process did during some work. `extraMb` is its highest memory above the lowest at the start of a measurement. */
export type Measures = { readonly heldMs: number; readonly cpuMs: number; readonly extraMb: number }

const SAMPLE_MS = 5

/** Measures between the messages `begin` and `end` of the parent process. */
export function answerMeasures(): void {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let cpu = process.cpuUsage()
  let idle = Number.POSITIVE_INFINITY
  let most = 0
  let sampling: NodeJS.Timeout | undefined
  process.on('message', (message) => {
    if (message === 'begin') {
      // The garbage of earlier rounds must not count. The launcher sets --expose-gc.
      globalThis.gc?.()
      most = process.memoryUsage.rss()
      idle = Math.min(idle, most)
      sampling = setInterval(() => {
        most = Math.max(most, process.memoryUsage.rss())
      }, SAMPLE_MS)
      delay.reset()
      delay.enable()
      cpu = process.cpuUsage()
      process.send?.('begun')
    } else if (message === 'end') {
      const { user, system } = process.cpuUsage(cpu)
      delay.disable()
      clearInterval(sampling)
      most = Math.max(most, process.memoryUsage.rss())
      const found: Measures = { heldMs: delay.max / 1e6, cpuMs: (user + system) / 1_000, extraMb: (most - idle) / 1_048_576 }
      process.send?.(found)
    }
  })
}
