import { RE2JS } from 're2js'

export type LinearPattern = {
  test(text: string): boolean
  /** The pattern as it was given. `toString` returns it too: ajv distinguishes patterns by it. */
  readonly source: string
  toString(): string
}

/** Maximum number of instructions of a compiled pattern. Nested repeats can make millions out of 20 characters. */
const MAX_SIZE = 2_000
/**
 * Maximum of the pattern's instructions times the characters of a text. In the worst case each such step takes 20 ns. A typical pattern has
 * 30 instructions, so it can check texts of 300,000 characters.
 */
const MAX_STEPS = 10_000_000

/**
 * Compiles a pattern so that the time of a test grows with the length of the text only, whatever the pattern. JavaScript's own engine can
 * take minutes for `(a+)+$`, and callers choose the text. Longer texts than `MAX_STEPS` allows do not match. Throws for a pattern that is not
 * valid in JavaScript with the `u` flag, or that RE2 does not support: look-around, back references, and repeats of more than 1,000 times.
 */
export function linearPattern(source: string): LinearPattern {
  new RegExp(source, 'u')
  // The translation to RE2 would read this back reference as text.
  if (/\\k/.test(source)) throw new Error('back references are not supported')
  const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
  const size = pattern.programSize()
  if (size > MAX_SIZE) throw new Error('the pattern is too large')
  return { source, toString: () => source, test: (text) => text.length * size <= MAX_STEPS && pattern.test(text) }
}

export function isLinearPattern(source: string): boolean {
  try {
    linearPattern(source)
    return true
  } catch {
    return false
  }
}

/** Makes ajv run the patterns of schemas as linear patterns. */
export const linearRegExp = Object.assign((source: string) => linearPattern(source), { code: 'linearPattern' })
