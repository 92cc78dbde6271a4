import type { Log } from './log.ts'

/** Work that is done every so often, never twice at once. */
export type Loop = {
  /** Aborts the work's signal, and resolves when what is in hand has ended. */
  close(): Promise<void>
}

/** Work that fails is logged and done again at its next turn. */
export function openLoop(everyMs: number, work: (signal: AbortSignal) => Promise<void>, log: Log): Loop {
  const closing = new AbortController()
  let running: Promise<void> | undefined

  async function turn(): Promise<void> {
    try {
      await work(closing.signal)
    } catch (err) {
      log.warn({ err }, 'background work failed; it is tried again')
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= turn()
  }, everyMs)

  return {
    async close() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}
