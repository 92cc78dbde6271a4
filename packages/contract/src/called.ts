type Called = { readonly network_code: number }

/** Narrows the response to a call that was sent without `dry_run`. */
export function calledOf<A extends object>(answer: A): Extract<A, Called> {
  if (!('network_code' in answer)) throw new Error('a call was answered as a dry run')
  return answer as Extract<A, Called>
}
