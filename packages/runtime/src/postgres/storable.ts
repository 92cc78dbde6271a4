/** Returns whether Postgres can store a text: it rejects NUL, and half of a surrogate pair has no UTF-8. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text)
}
