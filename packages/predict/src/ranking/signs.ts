import type { Index } from './build-index.ts'
import { FEATURES, type Feature } from './features.ts'
import type { Candidate } from './order.ts'
import type { Query } from './query.ts'

/** What tells whether the best candidate is right, and whether anything fits. */
export const SIGNS = [
  'share',
  'gap',
  'promptCovered',
  'softCovered',
  'cosine',
  'titleCovered',
  'descriptionCovered',
  'rarest',
  'verb',
  'words',
  'strange',
  'named',
  'values',
] as const

/** Beyond this the best candidate is out of reach of the next. */
const WIDE_GAP = 6

/** Values of SIGNS in their order, for one candidate and the best of the others. */
export function signsOf({ english }: Index, query: Query, first: Candidate, second: Candidate | undefined): number[] {
  const feature = (name: Feature) => first.row[FEATURES.indexOf(name)] as number
  const strange = query.words.filter((word) => english.vectors.find(word) < 0).length
  return [
    Math.log(first.share),
    second === undefined ? WIDE_GAP : Math.min(WIDE_GAP, first.score - second.score),
    feature('promptCovered'),
    feature('softCovered'),
    feature('cosine'),
    feature('titleCovered'),
    feature('descriptionCovered'),
    feature('rarest'),
    feature('verb'),
    Math.log(1 + query.words.length),
    strange / Math.max(1, query.words.length),
    first.named ? 1 : 0,
    query.hasValues ? 1 : 0,
  ]
}
