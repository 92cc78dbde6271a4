import { stem } from './stems.ts'

/** Groups of words with a similar meaning, by number. */
export type Concepts = {
  readonly count: number
  /** Returns the groups that contain a stem. */
  of(stem: string): readonly number[]
}

const NONE: readonly number[] = []

/** Reads the lexicon: one group of words per line. Lines that begin with # are comments. */
export function readConcepts(text: string): Concepts {
  const groups = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const byStem = new Map<string, number[]>()
  for (const [number, line] of groups.entries()) {
    for (const each of new Set(line.split(' ').map(stem))) byStem.set(each, [...(byStem.get(each) ?? []), number])
  }
  return { count: groups.length, of: (each) => byStem.get(each) ?? NONE }
}

/** Verbs that ask for the same kind of action. The first class creates, the second reads. */
const CLASSES = [
  'create add make new generate build compose write draft insert register',
  'get fetch show list find retrieve view see read display give tell provide look check search query discover browse what who which where when how',
  'delete remove cancel erase destroy clear discard drop revoke unsubscribe',
  'update change edit modify set rename alter adjust revise amend replace patch',
  'send post share deliver publish submit forward broadcast',
  'upload attach import',
  'download export save',
  'start begin launch run trigger execute enable activate',
  'stop end close terminate disable deactivate archive',
  'book reserve schedule',
  'convert translate transform',
  'calculate compute solve',
  'analyze analyse evaluate assess',
  'recommend suggest',
  'verify validate check',
  'track monitor',
  'compare',
  'join invite assign',
]

/** The bits of two classes in the result of `verbClasses`. */
export const MAKES = 1 << 0
export const READS = 1 << 1

const classesOf = new Map<string, number>()
for (const [number, line] of CLASSES.entries()) {
  for (const verb of line.split(' ').map(stem)) classesOf.set(verb, (classesOf.get(verb) ?? 0) | (1 << number))
}

/** Returns the classes of the verbs among the stems, one bit per class. */
export function verbClasses(stems: readonly string[]): number {
  return stems.reduce((classes, each) => classes | (classesOf.get(each) ?? 0), 0)
}
