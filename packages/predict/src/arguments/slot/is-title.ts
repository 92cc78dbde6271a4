import { nameStems } from '../../words/stems.ts'
import type { Slot } from './slot.ts'
import { isVague } from './slots-of.ts'

/** Stems of names for what a thing is called. */
const TITLES = new Set(nameStems('title name subject summary topic'))

/** Whether a slot is for what the thing itself is called, not somebody or something of it. */
export function isTitle({ telling, schema }: Slot): boolean {
  return schema.type === 'string' && [...telling].every((stem) => isVague(stem) || TITLES.has(stem))
}
