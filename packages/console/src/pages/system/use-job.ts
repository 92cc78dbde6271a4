import { useEffect, useRef, useState } from 'react'
import { OnwardError } from '../../api/request.ts'

/** Work in many requests, one after another. `report` shows how far it is. Throws if a request fails or `signal` is aborted. */
export type Work<P> = (report: (progress: P) => void, signal: AbortSignal) => Promise<void>

export type Job<P> = {
  readonly state: 'idle' | 'running' | 'done' | 'stopped' | 'failed'
  /** What was reported last; undefined before the first time. */
  readonly progress: P | undefined
  readonly error: string | undefined
  /** Starts the work; resolves when it has ended. Does nothing while other work runs. */
  start(work: Work<P>): Promise<void>
  stop(): void
}

type Held<P> = Pick<Job<P>, 'state' | 'progress' | 'error'>

/** Runs long work in this tab. It stops when the page is left; all such work can be repeated. */
export function useJob<P>(): Job<P> {
  const [held, setHeld] = useState<Held<P>>({ state: 'idle', progress: undefined, error: undefined })
  const running = useRef<AbortController | undefined>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  return {
    ...held,
    stop: () => running.current?.abort(),
    async start(work) {
      if (running.current !== undefined) return
      const controller = new AbortController()
      running.current = controller
      setHeld({ state: 'running', progress: undefined, error: undefined })
      try {
        await work((progress) => {
          controller.signal.throwIfAborted()
          setHeld({ state: 'running', progress, error: undefined })
        }, controller.signal)
        setHeld((before) => ({ ...before, state: 'done' }))
      } catch (err) {
        if (controller.signal.aborted) setHeld((before) => ({ ...before, state: 'stopped' }))
        else if (err instanceof OnwardError || err instanceof JobError)
          setHeld((before) => ({ ...before, state: 'failed', error: err.message }))
        else throw err
      } finally {
        running.current = undefined
      }
    },
  }
}

/** Work that cannot go on, with the reason for the reader. */
export class JobError extends Error {}
