import { Refusal } from '@onward/runtime'
import type { Executed } from './execute.ts'

/** What the caller is told of a call that had no usable answer: whether it may have taken effect, and that it is the app's doing. */
export function refusalOf({ failure }: Extract<Executed, { kind: 'failed' }>, app: string): Refusal {
  switch (failure.kind) {
    case 'blocked':
      return new Refusal('upstream_unreachable', `${app} was not called: its address is not a public one`)
    case 'unreachable':
      return new Refusal('upstream_unreachable', `${app} could not be reached; nothing was sent`)
    case 'timed_out':
      return failure.sent
        ? new Refusal('upstream_timeout', `${app} did not answer in time; the call may have taken effect`)
        : new Refusal('upstream_unreachable', `${app} could not be reached in time; nothing was sent`)
    case 'broken':
      return new Refusal('upstream_invalid', `the answer of ${app} broke off; the call may have taken effect`)
    case 'too_large':
      return new Refusal('upstream_invalid', `the answer of ${app} is too large; the call may have taken effect`)
  }
}
