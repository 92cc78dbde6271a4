import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 20_000

/** Asks again until there is an answer. Fails in the words of `what` after 20 s. */
export async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS / 1_000} s in vain until ${what}`)
    await sleep(20)
  }
}
