import { objectOf } from '@onward/catalog'
import { isStructured, writeJson } from '@onward/json'
import { ResponseBody } from '../onward/read-response.ts'

type Cuttable = { readonly reads: boolean; readonly hasMore: boolean }

/** What was left out of an output that was too long: `shown` of `of` items of the list at `path`, or characters of the JSON. */
type Truncated = { readonly path?: string; readonly shown: number; readonly of: number; readonly hint: string }

/**
 * Shortens an output to at most `maxChars` characters of JSON. Leaves out the last items of its longest array. If not even one item fits,
 * shortens long texts, and if that is not enough, returns the beginning of the JSON as text. `truncated` is undefined if nothing was left out.
 * `call` says whether the call only read, so that it may be repeated for the rest, and whether there is a next page.
 */
export function cutOutput(output: unknown, maxChars: number, call: Cuttable): { output: unknown; truncated: Truncated | undefined } {
  const value = output instanceof ResponseBody ? output.value : output
  const json = writeJson(value ?? null)
  if (json.length <= maxChars) return { output: value, truncated: undefined }
  const longest = longestArray(value, [])
  if (longest !== undefined) {
    const { items, lengths, path } = longest
    const shown = countFitting(lengths, maxChars - (json.length - sum(lengths)))
    if (shown > 0) {
      const hint = `the last items were left out${call.hasMore ? ', and _cursor continues after them' : ''}; ${restHint(call, ', or ask for fewer items')}`
      const where = path.length === 0 ? {} : { path: path.join('.') }
      return { output: replace(value, items, items.slice(0, shown)), truncated: { ...where, shown, of: items.length, hint } }
    }
  }
  for (const part of TEXT_PARTS) {
    const cut = isStructured(value) ? cutTexts(value, Math.floor(maxChars / part)) : value
    const shown = writeJson(cut).length
    if (shown <= maxChars && cut !== value) {
      return { output: cut, truncated: { shown, of: json.length, hint: `texts that end with … were cut; ${restHint(call)}` } }
    }
  }
  const hint = `this is the beginning of the output as JSON text; ${restHint(call)}`
  return { output: json.slice(0, maxChars), truncated: { shown: maxChars, of: json.length, hint } }
}

/** Long texts are cut to these parts of the characters, one after the other, until the output fits. */
const TEXT_PARTS = [2, 8, 64]

function restHint({ reads }: Cuttable, otherwise = ''): string {
  return reads
    ? `to get the rest, repeat the call with _fields${otherwise}`
    : 'the call took effect: do not repeat it to get the rest, read it with another function'
}

function cutTexts(value: unknown, max: number): unknown {
  if (typeof value === 'string') return value.length <= max ? value : `${value.slice(0, max)}…`
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, max))
  if (!isStructured(value)) return value
  return objectOf(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner, max)]))
}

/** An array, its place, and the number of characters that each item needs in JSON, with its comma. */
type Measured = { readonly items: readonly unknown[]; readonly lengths: readonly number[]; readonly path: readonly string[] }

/** Returns the array with the longest JSON that is not an item of another array; undefined if there is none. */
function longestArray(value: unknown, path: readonly string[]): Measured | undefined {
  if (Array.isArray(value)) return { items: value, lengths: value.map((item) => writeJson(item).length + 1), path }
  if (!isStructured(value)) return undefined
  let longest: Measured | undefined
  for (const [key, each] of Object.entries(value)) {
    const found = longestArray(each, [...path, key])
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
  return objectOf(Object.entries(value).map(([key, inner]) => [key, replace(inner, from, to)]))
}
