import type * as contract from '@onward/contract'
import type { CallBody, ResponseOf } from '@onward/contract'
import { calledOf } from '@onward/contract/pure'
import { useState } from 'react'
import { areaA, functions } from '../../api/doors.ts'
import { callFunction, previewCall } from '../../api/endpoints.ts'
import { OnwardError } from '../../api/request.ts'
import { send } from '../../api/send.ts'
import { useRefreshList } from '../../list/refresh-list.ts'

/** A call to make. `accountId` is empty for the default account. */
export type Task = {
  readonly appKey: string
  readonly user: string
  readonly fn: string
  readonly accountId: string
  readonly args: Readonly<Record<string, unknown>>
  /** The paths of the output to return; empty for all of it. */
  readonly fields: readonly string[]
}

export type Cursor = CallBody['_cursor']

/** The result of a call. `callId` is undefined if it was not executed. */
export type Outcome = {
  readonly task: Task
  readonly callId: string | undefined
  readonly ms: number
  readonly response: CallBody | undefined
  readonly error: OnwardError | undefined
}

export type Previewed = {
  readonly task: Task
  readonly response: ResponseOf<typeof contract.previewCall> | undefined
  readonly error: OnwardError | undefined
}

type Runs = {
  readonly running: 'call' | 'preview' | undefined
  readonly outcome: Outcome | undefined
  readonly previewed: Previewed | undefined
  call(task: Task, cursor?: Cursor): Promise<Outcome>
  preview(task: Task): Promise<Previewed>
}

/** Makes calls and previews, one at a time, and holds the last of each. Nothing of them is kept over a reload. */
export function useRuns(): Runs {
  const [running, setRunning] = useState<Runs['running']>(undefined)
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)
  const [previewed, setPreviewed] = useState<Previewed | undefined>(undefined)
  const refreshList = useRefreshList()
  return {
    running,
    outcome,
    previewed,
    async call(task, cursor) {
      setRunning('call')
      setOutcome(undefined)
      const started = performance.now()
      let callId: string | undefined
      const result = await settled(
        send(areaA(task.appKey, task.user), callFunction, {
          ...targetOf(task),
          body: {
            ...task.args,
            ...(cursor !== undefined && { _cursor: cursor }),
            ...(task.fields.length > 0 && { _fields: [...task.fields] }),
          },
          onHeaders: (headers) => {
            callId = headers.get('X-Call-ID') ?? undefined
          },
        }).then(calledOf),
      )
      const done: Outcome = { task, callId, ms: performance.now() - started, ...result }
      setOutcome(done)
      setRunning(undefined)
      refreshList('calls')
      return done
    },
    async preview(task) {
      setRunning('preview')
      const { params, query } = targetOf(task)
      const result = await settled(
        send(functions, previewCall, { params: { ...params, app_key: task.appKey, user_id: task.user }, query, body: { ...task.args } }),
      )
      const done: Previewed = { task, ...result }
      setPreviewed(done)
      setRunning(undefined)
      return done
    },
  }
}

function targetOf({ fn, accountId }: Task) {
  return { params: { function_name: fn }, query: accountId === '' ? {} : { connected_account_id: accountId } }
}

async function settled<T>(sent: Promise<T>): Promise<{ response: T | undefined; error: OnwardError | undefined }> {
  try {
    return { response: await sent, error: undefined }
  } catch (error) {
    if (!(error instanceof OnwardError)) throw error
    return { response: undefined, error }
  }
}
