type Called = { readonly network_code: number }

/** Narrows the response to a call that was sent without `dry_run`. */
export function calledOf<A extends object>(response: A): Extract<A, Called> {
  if (!('network_code' in response)) throw new Error('a call was answered as a dry run')
  return response as Extract<A, Called>
}
