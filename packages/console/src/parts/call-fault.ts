import { WORDS } from '../text/words.ts'
import type { Outcome } from './call-result.tsx'

/** Why a call failed: whose fault it is, in words, and what to do next. `mend` is what has to be changed, if that is known. */
type Fault = { readonly title: string; readonly help: string; readonly mend?: 'account' }

/** Returns why a failed call failed, by its outcome and the status that the app answered. */
export function faultOf({ outcome, network_code: status }: Outcome): Fault {
  if (outcome !== 'answered') return WORDS.fault[outcome]
  if (status === 401 || status === 403) return { ...WORDS.fault.account, mend: 'account' }
  if (status === 404 || status === 410) return WORDS.fault.missing
  if (status === 409) return WORDS.fault.conflict
  if (status === 429) return WORDS.fault.rate
  return status !== null && status >= 500 ? WORDS.fault.app : WORDS.fault.arguments
}
