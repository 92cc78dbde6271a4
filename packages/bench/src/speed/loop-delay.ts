/**
 * Runs `work`. Returns the CPU time that it took, and the longest time between two turns of the event loop. Both are CPU times, so that
 * other work on the machine has little effect.
 */
export async function measureWork(work: () => Promise<unknown>): Promise<{ ms: number; loopDelayMs: number }> {
  let loopDelayMs = 0
  let turn = process.cpuUsage()
  const watch = () => {
    loopDelayMs = Math.max(loopDelayMs, msSince(turn))
    turn = process.cpuUsage()
    next = setImmediate(watch)
  }
  let next = setImmediate(watch)
  const from = process.cpuUsage()
  await work()
  const ms = msSince(from)
  clearImmediate(next)
  return { ms, loopDelayMs: Math.max(loopDelayMs, msSince(turn)) }
}

/** Returns the CPU time since `from`, in milliseconds. */
export function msSince(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}
