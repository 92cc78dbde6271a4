import type { Unfit } from '../src/ranking/nothing-fits.ts'
import { type Asked, type Candidate, order } from '../src/ranking/order.ts'
import { signsOf } from '../src/ranking/signs.ts'
import type { Prepared } from './prepare-set.ts'

/** `place` is that of the first right candidate, from 0; -1 when none of them is. `signs` are those of the best one; null without candidates. */
export type Judged = { readonly place: number; readonly signs: readonly number[] | null }

export type Verdict = {
  readonly name: string
  readonly fitting: readonly Judged[]
  readonly unfit: readonly (Judged & Pick<Unfit, 'half' | 'kind'>)[]
}

/** What a ranker makes of a set. */
export function judgeSet({ name, index, fitting, unfit }: Prepared, weights: readonly number[]): Verdict {
  return {
    name,
    fitting: fitting.map(({ right, ...asked }) => {
      const candidates = order(index, weights, asked)
      const best = (each: Candidate) => right[asked.pool.indexOf(each.number)] === true
      return { place: candidates.findIndex(best), signs: signs(asked, candidates) }
    }),
    unfit: unfit.map(({ half, kind, ...asked }) => ({ half, kind, place: -1, signs: signs(asked, order(index, weights, asked)) })),
  }

  function signs({ query }: Asked, [first, second]: readonly Candidate[]): number[] | null {
    return first === undefined ? null : signsOf(index, query, first, second)
  }
}
