import type { Log } from './log.ts'

/** Work that is done every so often, never twice at once. */
export type Loop = {
  /** Aborts the work's signal, and resolves when what is in hand has ended. */
  close(): Promise<void>
}

/** Work that fails is logged and done again at its next turn. The first turn is after `everyMs`, or at once. */
export function openLoop(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  log: Log,
  first: 'later' | 'at once' = 'later',
): Loop {
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
  const begin = () => {
    running ??= turn()
  }
  const timer = setInterval(begin, everyMs)
  if (first === 'at once') begin()

  return {
    async close() {
      clearInterval(timer)
      closing.abort()
      await running
    },
  }
}
