import { stem } from './stem.ts'

/** Verbs that ask for the same kind of deed. The first class makes something, the second only reads. */
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

/** Two of the classes, as `verbClasses` tells them. */
export const MAKES = 1 << 0
export const READS = 1 << 1

const classesOf = new Map<string, number>()
for (const [number, line] of CLASSES.entries()) {
  for (const verb of line.split(' ').map(stem)) classesOf.set(verb, (classesOf.get(verb) ?? 0) | (1 << number))
}

/** The classes that the verbs among the stems belong to: a bit for each. */
export function verbClasses(stems: readonly string[]): number {
  return stems.reduce((classes, each) => classes | (classesOf.get(each) ?? 0), 0)
}
