import { isStructured, writeJson } from '@onward/json'
import { AnswerBody } from '../onward/read-answer.ts'

/** What was left out of an output that was too long. */
type Truncated = { readonly shown: number; readonly of: number; readonly hint: string }

/**
 * Shortens an output to at most `maxChars` characters of JSON. Leaves out the last items of its longest array; if that is not enough, returns
 * the beginning of its JSON as text. `truncated` is undefined if nothing was left out.
 */
export function cutOutput(output: unknown, maxChars: number): { output: unknown; truncated: Truncated | undefined } {
  const value = output instanceof AnswerBody ? output.value : output
  const json = writeJson(value ?? null)
  if (json.length <= maxChars) return { output: value, truncated: undefined }
  const longest = longestArray(value)
  if (longest !== undefined) {
    const { items, lengths } = longest
    const shown = countFitting(lengths, maxChars - (json.length - sum(lengths)))
    if (shown > 0) {
      const hint = 'the last items were left out; ask for fewer items or fields in one call'
      return { output: replace(value, items, items.slice(0, shown)), truncated: { shown, of: items.length, hint } }
    }
  }
  const hint = 'this is the beginning of the output as JSON text; ask for fewer items or fields in one call'
  return { output: json.slice(0, maxChars), truncated: { shown: maxChars, of: json.length, hint } }
}

/** An array and the number of characters that each item needs in JSON, with its comma. */
type Measured = { readonly items: readonly unknown[]; readonly lengths: readonly number[] }

/** Returns the array with the longest JSON that is not an item of another array; undefined if there is none. */
function longestArray(value: unknown): Measured | undefined {
  if (Array.isArray(value)) return { items: value, lengths: value.map((item) => writeJson(item).length + 1) }
  if (!isStructured(value)) return undefined
  let longest: Measured | undefined
  for (const each of Object.values(value)) {
    const found = longestArray(each)
    if (found !== undefined && (longest === undefined || sum(found.lengths) > sum(longest.lengths))) longest = found
  }
  return longest
}

function countFitting(lengths: readonly number[], room: number): number {
  let rest = room
  let count = 0
  for (const length of lengths) {
    rest -= length
    if (rest < 0) break
    count++
  }
  return count
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0)
}

/** Returns a copy of a value with one array replaced. */
function replace(value: unknown, from: readonly unknown[], to: readonly unknown[]): unknown {
  if (value === from) return to
  if (!isStructured(value) || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner, from, to)]))
}
