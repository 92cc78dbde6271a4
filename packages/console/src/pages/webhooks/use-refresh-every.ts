import { useEffect, useEffectEvent } from 'react'
import { useRefreshList } from '../../list/refresh-list.ts'

/** Reads a short list again from time to time, while the page is visible. */
export function useRefreshEvery(list: string, everyMs: number): void {
  const refresh = useRefreshList()
  const tick = useEffectEvent(() => {
    if (!document.hidden) refresh(list)
  })
  useEffect(() => {
    const timer = setInterval(() => tick(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
