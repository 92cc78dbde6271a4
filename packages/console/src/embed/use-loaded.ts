import { useCallback, useEffect, useRef, useState } from 'react'
import type { OnwardError } from '../api/request.ts'
import type { Reading } from '../ui/section.tsx'

/** How often data is read again while the page is visible. */
const EVERY_MS = 60_000

/** Reads data, and reads it again every minute while the page is visible, and when it becomes visible. Data stays when a refresh fails. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Reading<T> {
  const [state, setState] = useState<Omit<Reading<T>, 'retry'>>({ data: undefined, error: undefined, loading: true, asOf: undefined })
  const running = useRef<AbortController | undefined>(undefined)

  const read = useCallback(() => {
    running.current?.abort()
    const current = new AbortController()
    running.current = current
    setState((before) => ({ ...before, loading: true }))
    load(current.signal).then(
      (data) => setState({ data, error: undefined, loading: false, asOf: new Date() }),
      (error: OnwardError) => {
        if (!current.signal.aborted) setState((before) => ({ ...before, error, loading: false }))
      },
    )
  }, [load])

  useEffect(() => {
    const readIfVisible = () => {
      if (!document.hidden) read()
    }
    read()
    const timer = setInterval(readIfVisible, EVERY_MS)
    document.addEventListener('visibilitychange', readIfVisible)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', readIfVisible)
      running.current?.abort()
    }
  }, [read])

  return { ...state, retry: read }
}
