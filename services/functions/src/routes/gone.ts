import type { Response } from 'express'

/** Aborted when the caller does not wait for the answer any more. */
export function goneSignal(response: Response): AbortSignal {
  const gone = new AbortController()
  if (response.closed) gone.abort()
  else response.once('close', () => gone.abort())
  return gone.signal
}
