import { objectOf } from '@onward/catalog'
import { isStructured, writeJson } from '@onward/json'

/**
 * One step from an output to the part of it that earlier results have not shown: the items of a list after the first ones, the texts after
 * their first characters, or the output written as JSON text.
 */
export type Step = { readonly list: readonly string[]; readonly skip: number } | { readonly texts: number } | { readonly json: true }

/** An output that was cut. The last step of `rest` says what was cut; `before` is how many items of the list earlier results have shown. */
export type Cut = {
  readonly output: unknown
  readonly path?: readonly string[]
  readonly before?: number
  /** The number of items, or the length of the JSON, that is shown, and of all. */
  readonly shown: number
  readonly of: number
  /** The steps to what neither this result nor earlier ones have shown. */
  readonly rest: readonly Step[]
}

/**
 * Shortens what the steps leave of an output to at most `maxChars` characters of JSON. Leaves out the last items of its longest array. If not
 * even one item fits, shortens long texts, and if that is not enough, returns the beginning of the JSON as text. Returns the output alone if
 * nothing was left out.
 */
export function cutOutput(value: unknown, maxChars: number, steps: readonly Step[]): Cut | { readonly output: unknown } {
  const last = steps.at(-1)
  const from = last !== undefined && 'texts' in last ? last.texts : 0
  const earlier = from === 0 ? steps : steps.slice(0, -1)
  const base = earlier.reduce(after, value)
  const left = textsBetween(base, from, Number.POSITIVE_INFINITY)
  const json = writeJson(left ?? null)
  if (json.length <= maxChars) return { output: left }
  const found = cutList(left, json.length, maxChars, steps) ?? cutTexts(base, from, json.length, maxChars, earlier)
  if (found !== undefined) return found
  return cutText(json, 0, json.length, maxChars, [...steps, { json: true }])
}

function after(value: unknown, step: Step): unknown {
  if ('list' in step) return listAfter(value, step.list, step.skip)
  return 'texts' in step ? textsBetween(value, step.texts, Number.POSITIVE_INFINITY) : writeJson(value ?? null)
}

/** Returns the items of a list after the first ones, in their place, without what is beside the list. The app may have changed its data. */
function listAfter(value: unknown, [name, ...path]: readonly string[], skip: number): unknown {
  if (name === undefined) return Array.isArray(value) ? value.slice(skip) : []
  const inner = isStructured(value) && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  return objectOf([[name, listAfter(inner, path, skip)]])
}

function cutList(left: unknown, length: number, maxChars: number, steps: readonly Step[]): Cut | undefined {
  const longest = longestArray(left, [])
  if (longest === undefined) return undefined
  const { items, lengths, path } = longest
  const shown = countFitting(lengths, maxChars - (length - sum(lengths)))
  if (shown === 0) return undefined
  const last = steps.at(-1)
  const isSame = last !== undefined && 'list' in last && last.list.join('.') === path.join('.')
  const before = isSame ? last.skip : 0
  const rest = [...(isSame ? steps.slice(0, -1) : steps), { list: path, skip: before + shown }]
  return { output: replace(left, items, items.slice(0, shown)), path, before, shown, of: before + items.length, rest }
}

/** Long texts are cut to these parts of the characters, one after the other, until the output fits. */
const TEXT_PARTS = [2, 8, 64]

function cutTexts(base: unknown, from: number, of: number, maxChars: number, earlier: readonly Step[]): Cut | undefined {
  if (typeof base === 'string') return cutText(base, from, of, maxChars, earlier)
  for (const part of TEXT_PARTS) {
    const to = from + Math.max(1, Math.floor(maxChars / part))
    const output = textsBetween(base, from, to)
    const shown = writeJson(output ?? null).length
    if (shown <= maxChars) return { output, shown, of, rest: [...earlier, { texts: to }] }
  }
  return undefined
}

/** Cuts an output that is one text. Characters that JSON escapes need more room. */
function cutText(text: string, from: number, of: number, maxChars: number, earlier: readonly Step[]): Cut {
  let size = maxChars
  for (;;) {
    const output = textsBetween(text, from, from + size)
    const shown = writeJson(output).length
    if (shown <= maxChars || size === 1) return { output, shown, of, rest: [...earlier, { texts: from + size }] }
    size = Math.max(1, Math.min(size - 1, Math.floor((size * maxChars) / shown)))
  }
}

/**
 * Returns a value in which each text is cut to the characters between `from` and `to`, with … where it was cut. List items without such
 * characters are left out, because an earlier result has shown them. Other values stay, because they say what the texts belong to.
 */
function textsBetween(value: unknown, from: number, to: number): unknown {
  if (from === 0 && to === Number.POSITIVE_INFINITY) return value
  if (typeof value === 'string') {
    if (from > 0 && value.length <= from) return value
    const [begin, end] = [boundary(value, from), boundary(value, to)]
    return `${begin > 0 ? '…' : ''}${value.slice(begin, end)}${end < value.length ? '…' : ''}`
  }
  if (Array.isArray(value))
    return value.filter((item) => from === 0 || hasTextAfter(item, from)).map((item) => textsBetween(item, from, to))
  if (!isStructured(value)) return value
  return objectOf(Object.entries(value).map(([key, inner]) => [key, textsBetween(inner, from, to)]))
}

/** Returns where a text can be cut: a cut between the halves of a surrogate pair moves before the pair. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

function hasTextAfter(value: unknown, from: number): boolean {
  if (typeof value === 'string') return value.length > from
  return isStructured(value) && Object.values(value).some((inner) => hasTextAfter(inner, from))
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
