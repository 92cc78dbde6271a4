import { createHash } from 'node:crypto'
import type { AppFunction } from '@onward/catalog'
import { clip } from '../choosing/clip.ts'

/** What a function is embedded as; `hash` (SHA-256, hex) changes when the text does. */
export type EmbeddedText = { readonly text: string; readonly hash: string }

const MAX_TEXT = 2_000
const MAX_PARAMETER = 100

const made = new WeakMap<AppFunction, EmbeddedText>()

/** Made once for each function, and gone with it. */
export function embeddedText(fn: AppFunction): EmbeddedText {
  const known = made.get(fn)
  if (known !== undefined) return known
  const text = textOf(fn)
  const fresh = { text, hash: createHash('sha256').update(text).digest('hex') }
  made.set(fn, fresh)
  return fresh
}

function textOf({ app, title, description, parameters }: AppFunction): string {
  const listed = Object.entries(parameters.properties).map(([name, each]) => `${name}: ${clip(each.description, MAX_PARAMETER)}`)
  return clip([`${app.title}: ${title}`, description, ...listed].join('\n'), MAX_TEXT)
}
