import { useEffect, useState } from 'react'
import { insights } from '../../../api/doors.ts'
import { previewLimits } from '../../../api/endpoints.ts'
import { useWorkspaceId } from '../../../api/me.ts'
import type { OnwardError } from '../../../api/request.ts'
import { send } from '../../../api/send.ts'
import type { Preview } from '../preview-figures.tsx'
import { chunksOf, type NewLimit } from './read-limits.ts'

/** Users that one request compares. */
const PREVIEW_SIZE = 5000

export type FilePreview = {
  readonly data: Preview | undefined
  readonly error: OnwardError | undefined
  /** Limits that were compared so far. */
  readonly compared: number
  retry(): void
}

type State = { readonly sum: Preview; readonly compared: number; readonly done: boolean; readonly error: OnwardError | undefined }

const ZERO: Preview = { users: 0, new_users: 0, changed: 0, unchanged: 0, over_now: 0, notices: 0, capped: false, current: [] }
const START: State = { sum: ZERO, compared: 0, done: false, error: undefined }

/** Compares the limits of a file with the current limits, in several requests if they are many. */
export function useFilePreview(appKey: string, limits: readonly NewLimit[]): FilePreview {
  const workspaceId = useWorkspaceId()
  const [state, setState] = useState(START)
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` starts again after a failure
  useEffect(() => {
    const stop = new AbortController()
    const run = async () => {
      setState(START)
      for (const users of chunksOf(limits, PREVIEW_SIZE)) {
        const input = { params: { workspace_id: workspaceId }, body: { app_key: appKey, users }, signal: stop.signal }
        const response = await send(insights, previewLimits, input)
        setState((before) => ({ ...before, sum: added(before.sum, response), compared: before.compared + users.length }))
      }
      setState((before) => ({ ...before, done: true }))
    }
    run().catch((error: OnwardError) => {
      if (!stop.signal.aborted) setState((before) => ({ ...before, error }))
    })
    return () => stop.abort()
  }, [appKey, limits, workspaceId, round])
  return {
    data: state.done ? state.sum : undefined,
    error: state.error,
    compared: state.compared,
    retry: () => setRound((before) => before + 1),
  }
}

function added(a: Preview, b: Preview): Preview {
  return {
    users: a.users + b.users,
    new_users: a.new_users + b.new_users,
    changed: a.changed + b.changed,
    unchanged: a.unchanged + b.unchanged,
    over_now: a.over_now + b.over_now,
    notices: a.notices + b.notices,
    capped: a.capped || b.capped,
    current: [...a.current, ...b.current],
  }
}
