import { createHash } from 'node:crypto'
import type { AppFunction } from '@onward/catalog'

/** The text that represents a function for a model, with its SHA-256 in hex. What a model made of a text is stored under its hash. */
export type FunctionText = { readonly text: string; readonly hash: string }

const MAX_TEXT = 2_000
const MAX_PARAMETER = 100

const cache = new WeakMap<AppFunction, FunctionText>()

/** Returns the text of a function. Caches it. */
export function functionText(fn: AppFunction): FunctionText {
  const known = cache.get(fn)
  if (known !== undefined) return known
  const text = textOf(fn)
  const fresh = { text, hash: createHash('sha256').update(text).digest('hex') }
  cache.set(fn, fresh)
  return fresh
}

function textOf({ app, title, description, parameters }: AppFunction): string {
  const listed = Object.entries(parameters.properties).map(([name, each]) => `${name}: ${clip(each.description, MAX_PARAMETER)}`)
  return clip([`${app.title}: ${title}`, description, ...listed].join('\n'), MAX_TEXT)
}

/** Cuts a text to at most `most` characters, without splitting a surrogate pair. */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`
}
