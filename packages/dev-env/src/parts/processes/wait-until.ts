import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again until the answer is true; answers false when the time is over. */
export async function waitUntil(ask: () => boolean | Promise<boolean>, timeoutMs: number, everyMs = 25): Promise<boolean> {
  const end = Date.now() + timeoutMs
  while (!(await ask())) {
    if (Date.now() > end) return false
    await pause(everyMs)
  }
  return true
}
