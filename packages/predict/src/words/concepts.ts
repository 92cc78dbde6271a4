import { stem } from './stem.ts'

/** Groups of words that mean much the same, by number. */
export type Concepts = {
  readonly count: number
  /** The groups that a stem stands in. */
  of(stem: string): readonly number[]
}

const NONE: readonly number[] = []

/** Reads the lexicon: one group of words a line; lines that begin with # say something about it. */
export function readConcepts(text: string): Concepts {
  const groups = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const byStem = new Map<string, number[]>()
  for (const [number, line] of groups.entries()) {
    for (const each of new Set(line.split(' ').map(stem))) byStem.set(each, [...(byStem.get(each) ?? []), number])
  }
  return { count: groups.length, of: (each) => byStem.get(each) ?? NONE }
}
