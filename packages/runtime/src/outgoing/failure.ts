import { AxiosError, isCancel } from 'axios'
import { BlockedAddressError } from './address.ts'

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

function kindOf(cause: Error | undefined, sent: boolean): FailureKind {
  if (cause instanceof BlockedAddressError) return 'blocked'
  if (cause?.name === 'TimeoutError') return 'timed_out'
  return sent ? 'broken' : 'unreachable'
}

/** How far each exchange went, by its config: axios puts an error of its own in place of ours when a signal aborts it. */
export const exchanges = new WeakMap<object, { sent: boolean }>()

/** The failure of a request made by one of our clients; undefined for any other error, which is a bug. */
export function failureOf(err: unknown): Failure | undefined {
  if (!(err instanceof AxiosError)) return undefined
  if (!isCancel(err)) return (err as AxiosError & { failure?: Failure }).failure
  const { config } = err as AxiosError
  const sent = exchanges.get(config ?? {})?.sent ?? false
  return { kind: kindOf((config?.signal as AbortSignal | undefined)?.reason, sent), sent }
}
