import type { Log } from './log.ts'

/**
 * Returns the result of `work`, or the result of `onLate` when `work` takes longer than `ms`; by default `onLate` throws. The work itself
 * continues, and its late result is ignored.
 */
export function inTime<T>(ms: number, work: Promise<T>, onLate: () => T = () => fail(ms)): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        try {
          resolve(onLate())
        } catch (err) {
          reject(err)
        }
      },
      Math.max(0, ms),
    )
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

function fail(ms: number): never {
  throw new Error(`not done within ${ms} ms`)
}

/** Work that runs at an interval, never twice at once. */
export type Loop = {
  /** Aborts the work's signal, and resolves when the current run has ended. */
  close(): Promise<void>
}

/** Runs `work` every `everyMs`, the first time after `everyMs` or at once. A run that fails is logged; the next one follows as usual. */
export function openLoop(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  log: Log,
  first: 'later' | 'at once' = 'later',
): Loop {
  const closing = new AbortController()
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    try {
      await work(closing.signal)
    } catch (err) {
      log.warn({ err }, 'background work failed; trying again')
    }
    running = undefined
  }
  const begin = () => {
    running ??= run()
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
