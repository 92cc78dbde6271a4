import type { Answer } from './endpoint.ts'
import type { callFunction } from './functions/call.ts'

type CallAnswer = Answer<typeof callFunction>

/** The response to a call that is not a dry run. */
export type CallBody = Extract<CallAnswer, { readonly network_code: number }>

/** Narrows the response to a call that was sent without `dry_run`. */
export function calledOf(answer: CallAnswer): CallBody {
  if (!('network_code' in answer)) throw new Error('a call was answered as a dry run')
  return answer
}
