import { monitorEventLoopDelay } from 'node:perf_hooks'

/** What was measured in one process during some work. */
export type Measures = {
  /** The longest delay of its event loop. */
  readonly loopDelayMs: number
  readonly cpuMs: number
  /** Its highest memory during the work, above the lowest at the start of any measurement. */
  readonly extraMb: number
}

const SAMPLE_MS = 5

/** Measures this process between the messages `begin` and `end` of the parent process, and sends the result to it. */
export function measureOnRequest(): void {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let cpu = process.cpuUsage()
  let lowestAtStart = Number.POSITIVE_INFINITY
  let highest = 0
  let sampling: NodeJS.Timeout | undefined
  process.on('message', (message) => {
    if (message === 'begin') {
      // The garbage of earlier rounds must not count. The launcher sets --expose-gc.
      globalThis.gc?.()
      highest = process.memoryUsage.rss()
      lowestAtStart = Math.min(lowestAtStart, highest)
      sampling = setInterval(() => {
        highest = Math.max(highest, process.memoryUsage.rss())
      }, SAMPLE_MS)
      delay.reset()
      delay.enable()
      cpu = process.cpuUsage()
      process.send?.('begun')
    } else if (message === 'end') {
      const { user, system } = process.cpuUsage(cpu)
      delay.disable()
      clearInterval(sampling)
      highest = Math.max(highest, process.memoryUsage.rss())
      const measures: Measures = {
        loopDelayMs: delay.max / 1e6,
        cpuMs: (user + system) / 1_000,
        extraMb: (highest - lowestAtStart) / 1_048_576,
      }
      process.send?.(measures)
    }
  })
}
