import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'

/** Below this width, tables become two-line rows and panels become sheets. */
export const PHONE = '(max-width: 699px)'

/** Returns whether a media query matches, and draws again when that changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query)
      list.addEventListener('change', listener)
      return () => list.removeEventListener('change', listener)
    },
    () => matchMedia(query).matches,
  )
}

/** Returns the width of an element in pixels; 0 until it is measured. */
export function useWidth(ref: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = ref.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}

/** Returns the present time, renewed every `everyMs` while the page is visible. All users of one interval share a timer. */
export function useNow(everyMs = 15_000): Date {
  const clock = clockOf(everyMs)
  return useSyncExternalStore(clock.subscribe, clock.now)
}

type Clock = { readonly subscribe: (listener: () => void) => () => void; readonly now: () => Date }

const clocks = new Map<number, Clock>()

function clockOf(everyMs: number): Clock {
  const found = clocks.get(everyMs)
  if (found !== undefined) return found
  const listeners = new Set<() => void>()
  let now = new Date()
  let timer: ReturnType<typeof setInterval> | undefined
  const tick = () => {
    if (document.hidden) return
    now = new Date()
    for (const listener of listeners) listener()
  }
  const clock: Clock = {
    now: () => now,
    subscribe(listener) {
      if (listeners.size === 0) {
        now = new Date()
        timer = setInterval(tick, everyMs)
        document.addEventListener('visibilitychange', tick)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        document.removeEventListener('visibilitychange', tick)
      }
    },
  }
  clocks.set(everyMs, clock)
  return clock
}

/** Sets a CSS variable on one element to the height of another: the offset of a sticky table header. */
export function useHeightVariable(of: RefObject<HTMLElement | null>, on: RefObject<HTMLElement | null>, variable: `--${string}`): void {
  useEffect(() => {
    const element = of.current
    if (element === null) return
    const observer = new ResizeObserver(() => on.current?.style.setProperty(variable, `${element.offsetHeight}px`))
    observer.observe(element)
    return () => observer.disconnect()
  }, [of, on, variable])
}
