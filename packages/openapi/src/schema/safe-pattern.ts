import { patternCost } from './pattern-cost.ts'

const MAX_LENGTH = 300
/** Each of them may be tried at each place of a long text. */
const MAX_WAYS = 1_000

/**
 * Whether a document's pattern may be run on what callers send, of any length, in time that grows no faster than the text: it is valid with the
 * `u` flag, repeats without a bound once at most and then only from the beginning of the text, and repeats nothing that leaves a choice.
 */
export function safePattern(pattern: string): boolean {
  if (pattern.length > MAX_LENGTH || /\\[1-9k]/.test(pattern)) return false
  try {
    new RegExp(pattern, 'u')
  } catch {
    return false
  }
  const { nested, unbounded, anchored, ways } = patternCost(pattern)
  return !nested && unbounded <= (anchored ? 1 : 0) && ways <= MAX_WAYS
}
