import type { Dispatcher } from 'undici'
import { type FailureKind, failed } from './failure.ts'
import { openAgent } from './guarded-agent.ts'
import type { Reach } from './url.ts'

export type PosterOptions = {
  readonly reach: Reach
  /** For connecting, sending and the whole answer together. */
  readonly deadlineMs: number
  /** Connections to one origin. */
  readonly connections: number
  /** More of an answer than this is not read. */
  readonly maxAnswerBytes: number
}

export type Posted =
  | { readonly status: number; readonly headers: Readonly<Record<string, string | string[] | undefined>> }
  | { readonly failure: FailureKind }

/** Sends posts of which only the status and the headers of the answer matter, at a quarter of the CPU that a client takes. Never rejects. */
export type Poster = {
  post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Posted>
  close(): Promise<void>
}

/** Guarded like every client; no redirects, no proxy from the environment. */
export function openPoster(options: PosterOptions): Poster {
  const agent = openAgent({ reach: options.reach, connectTimeoutMs: options.deadlineMs, connections: options.connections })
  return {
    post: (url, headers, body) => post(agent.dispatcher, options, url, headers, body),
    close: agent.close,
  }
}

function post(
  agent: Dispatcher,
  { deadlineMs, maxAnswerBytes }: PosterOptions,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Posted> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined
    let head: Posted | undefined
    let size = 0
    let over = false

    const timer = setTimeout(() => {
      const late = new DOMException(`no whole answer within ${deadlineMs} ms`, 'TimeoutError')
      fail(late)
      controller?.abort(late)
    }, deadlineMs)
    function end(posted: Posted): void {
      over = true
      clearTimeout(timer)
      resolve(posted)
    }
    function fail(cause: Error): void {
      if (!over) end({ failure: failed(cause, controller !== undefined).failure.kind })
    }

    try {
      const { origin, pathname, search } = new URL(url)
      agent.dispatch(
        { origin, path: pathname + search, method: 'POST', headers, body },
        {
          onRequestStart(started) {
            // Past the deadline while the connection was being made: nothing has been written yet.
            if (over) started.abort(new Error('the request was aborted'))
            controller = started
          },
          onResponseStart(_, status, answered) {
            head = { status, headers: answered }
          },
          onResponseData(_, chunk) {
            size += chunk.length
            if (size <= maxAnswerBytes || head === undefined || over) return
            end(head)
            controller?.abort(new Error('the rest is not read'))
          },
          onResponseEnd() {
            if (!over && head !== undefined) end(head)
          },
          onResponseError(_, err) {
            fail(err)
          },
        },
      )
    } catch (err) {
      fail(err as Error)
    }
  })
}
