import { setTimeout as pause } from 'node:timers/promises'

/** Calls `ask` until it returns a truthy value, and returns that value. Returns undefined after `timeoutMs`. */
export async function waitUntil<T>(ask: () => T | Promise<T>, timeoutMs: number, everyMs = 25): Promise<T | undefined> {
  const end = Date.now() + timeoutMs
  for (;;) {
    const response = await ask()
    if (response) return response
    if (Date.now() > end) return undefined
    await pause(everyMs)
  }
}
