import { AxiosError } from 'axios'
import { BlockedAddressError } from './guarded-agent.ts'

/**
 * Why there is no whole answer. `blocked`: the address guard refused; `unreachable`: no connection (DNS, refused, TLS);
 * `timed_out`: the deadline passed; `broken`: it broke off or was not HTTP; `too_large`: over the cap.
 */
export type FailureKind = 'blocked' | 'unreachable' | 'timed_out' | 'broken' | 'too_large'

export type Failure = {
  readonly kind: FailureKind
  /** Whether any byte of the request may have reached the other side. */
  readonly sent: boolean
}

/** An axios error of our adapter, with the failure told apart. */
export function failed(cause: Error, sent: boolean, kind?: FailureKind): AxiosError & { failure: Failure } {
  const failure: Failure = { kind: kind ?? kindOf(cause, sent), sent }
  const code = (cause as { code?: unknown }).code
  return Object.assign(new AxiosError(cause.message, typeof code === 'string' ? code : undefined), { failure })
}

function kindOf(cause: Error, sent: boolean): FailureKind {
  if (cause instanceof BlockedAddressError) return 'blocked'
  if (cause.name === 'TimeoutError') return 'timed_out'
  return sent ? 'broken' : 'unreachable'
}

/** The failure of a request made by one of our clients; undefined for any other error, which is a bug. */
export function failureOf(err: unknown): Failure | undefined {
  return err instanceof AxiosError ? (err as AxiosError & { failure?: Failure }).failure : undefined
}
