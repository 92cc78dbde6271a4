import type { ErrorCode } from '@onward/contract'
import type { OnwardError } from '../../api/request.ts'
import { PLAY } from './words.ts'

/** Says who has to act on an error. */
export function whoseOf(code: ErrorCode | 'no_connection'): string {
  const { whose } = PLAY
  switch (code) {
    case 'invalid_parameters':
    case 'function_not_found':
      return whose.you
    case 'account_not_connected':
    case 'account_not_found':
    case 'account_reconnect_required':
    case 'token_renewal_failed':
      return whose.account
    case 'task_limit_reached':
      return whose.limit
    case 'upstream_unreachable':
    case 'upstream_invalid':
    case 'upstream_timeout':
      return whose.app
    default:
      return whose.onward
  }
}

/** Returns the problems of an error by the path of the field: `"address.city: is required"`. */
export function problemsOf(error: OnwardError | undefined): Readonly<Record<string, string>> {
  const pairs = (error?.details ?? []).map((detail) => /^([^:\s]+): (.*)$/s.exec(detail))
  return Object.fromEntries(pairs.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])))
}
