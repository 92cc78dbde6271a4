import { useEffect, useEffectEvent, useState } from 'react'
import { addNewer, type Newer, NO_NEWER, showWaiting } from './cursor-list.ts'

/** Time between two questions for newer rows, in milliseconds. After failures it doubles, up to a minute. */
const EVERY_MS = 5000
const MOST_MS = 60_000

type LiveOptions<Row> = {
  /** False stops asking, as does a page in the background. */
  readonly on: boolean
  /** Names what is asked for. When it changes, newer rows are forgotten. */
  readonly of: string
  /** Whether the reader is at the top of the list. */
  readonly atTop: boolean
  rowKey(row: Row): string
  /** Requests rows newer than the known rows. */
  ask(newer: Newer<Row>): Promise<readonly Row[]>
}

type Live<Row> = { readonly newer: Newer<Row>; readonly failing: boolean; showWaiting(): void; forget(): void }

/** Asks for newer rows of a list every 5 s, and at once when the browser comes back online. */
export function useLive<Row>({ on, of, atTop, rowKey, ask }: LiveOptions<Row>): Live<Row> {
  const [held, setHeld] = useState<{ readonly of: string; readonly newer: Newer<Row> }>({ of, newer: NO_NEWER })
  const [failures, setFailures] = useState(0)
  const newer = held.of === of ? held.newer : NO_NEWER
  const change = (next: (newer: Newer<Row>) => Newer<Row>) =>
    setHeld((before) => ({ of, newer: next(before.of === of ? before.newer : NO_NEWER) }))

  const tick = useEffectEvent(async (isOver: () => boolean) => {
    if (document.hidden) return
    try {
      const arrived = await ask(newer)
      if (isOver()) return
      setFailures(0)
      change((before) => addNewer(before, arrived, atTop, rowKey))
    } catch {
      if (!isOver()) setFailures((count) => count + 1)
    }
  })
  const wait = Math.min(MOST_MS, EVERY_MS * 2 ** failures)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list starts a new rhythm
  useEffect(() => {
    if (!on) return
    let over = false
    const askNow = async () => {
      await tick(() => over)
      clearTimeout(timer)
      if (!over) timer = setTimeout(askNow, wait)
    }
    let timer = setTimeout(askNow, wait)
    addEventListener('online', askNow)
    return () => {
      over = true
      clearTimeout(timer)
      removeEventListener('online', askNow)
    }
  }, [on, of, wait])

  return { newer, failing: failures > 0, showWaiting: () => change(showWaiting), forget: () => change(() => NO_NEWER) }
}
