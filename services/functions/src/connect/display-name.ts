const MAX = 200

/** A name that an app gave, fit to be shown anywhere: one line of at most 200 characters without controls; `fallback` when nothing is left. */
export function displayName(given: string | undefined, fallback: string): string {
  // Direction marks could make what follows the name read backwards.
  const plain = (given ?? '').replace(/[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()
  return [...plain].slice(0, MAX).join('').trim() || fallback
}
