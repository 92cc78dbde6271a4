import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { areaB } from '../../../api/doors.ts'
import { getUserDetail, setUserLimits } from '../../../api/endpoints.ts'
import { useWorkspaceId } from '../../../api/me.ts'
import type { OnwardError } from '../../../api/request.ts'
import { send } from '../../../api/send.ts'
import { useRefreshList } from '../../../list/refresh-list.ts'
import { applyLimits } from './apply-limits.ts'
import { chunksOf, type NewLimit } from './read-limits.ts'

/** Limits that one request sets. Small enough for a progress that moves, and to stop soon. */
const APPLY_SIZE = 1000

export type Apply = {
  readonly state: 'ready' | 'runs' | 'stops' | 'stopped' | 'failed' | 'done'
  /** Limits that are set. */
  readonly set: number
  readonly waiting: boolean
  readonly error: OnwardError | undefined
  /** Begins, or goes on where it stopped. */
  run(): void
  stop(): void
}

/** Sets the limits of a file. The browser asks before the page is left in the middle of it. */
export function useApply(appKey: string, limits: readonly NewLimit[]): Apply {
  const workspaceId = useWorkspaceId()
  const client = useQueryClient()
  const refreshList = useRefreshList()
  const stopper = useRef<AbortController>(undefined)
  const [state, setState] = useState<Apply['state']>('ready')
  const [set, setSet] = useState(0)
  const [waiting, setWaiting] = useState(false)
  const [error, setError] = useState<OnwardError | undefined>(undefined)
  useEffect(() => () => stopper.current?.abort(), [])
  const going = state === 'runs' || state === 'stops'
  useEffect(() => {
    if (!going) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [going])
  const run = async () => {
    const stop = new AbortController()
    stopper.current = stop
    setState('runs')
    setError(undefined)
    try {
      await applyLimits(chunksOf(limits.slice(set), APPLY_SIZE), {
        signal: stop.signal,
        set: (body) => send(areaB(workspaceId), setUserLimits, { query: { app_key: appKey }, body: [...body] }),
        onSet: (count) => setSet((before) => before + count),
        onWaiting: setWaiting,
      })
      setState(stop.signal.aborted ? 'stopped' : 'done')
    } catch (err) {
      setError(err as OnwardError)
      setState('failed')
    }
    refreshList('users')
    await client.invalidateQueries({ queryKey: [`${getUserDetail.method} ${getUserDetail.path}`] })
  }
  return {
    state,
    set,
    waiting,
    error,
    run: () => void run(),
    stop() {
      setState('stops')
      stopper.current?.abort()
    },
  }
}
