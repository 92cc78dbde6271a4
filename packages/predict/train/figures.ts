import { barOf } from '../src/ranking/bar-of.ts'
import { type Model, probability } from '../src/ranking/model.ts'
import type { Judged, Verdict } from './judge-set.ts'

/** Shares, 0 to 1. */
export type Figures = {
  readonly at1: number
  readonly at5: number
  readonly mrr: number
  /** Of the test half of the prompts that nothing fits, one by one and joined; and of the set's own prompts. */
  readonly refusedUnfit: number
  readonly refusedJoined: number
  readonly refusedFitting: number
  /** Of each tenth of confidence: how many of the prompts, the mean confidence, how many were right. */
  readonly bins: readonly Bin[]
}

export type Bin = { readonly share: number; readonly confidence: number; readonly right: number }

export function figuresOf({ fitting, unfit }: Verdict, { fits, right }: Model): Figures {
  const within = (k: number) => share(fitting, ({ place }) => place >= 0 && place < k)
  const likely = ({ signs }: Judged) => (signs === null ? 0 : probability(fits, signs))
  const bar = barOf(unfit.filter(({ half, kind }) => half === 'dev' && kind !== 'joined').map(likely))
  const refused = (each: Judged) => likely(each) < bar
  const tested = unfit.filter(({ half }) => half === 'test')
  return {
    at1: within(1),
    at5: within(5),
    mrr: mean(fitting.map(({ place }) => (place < 0 ? 0 : 1 / (place + 1)))),
    refusedUnfit: share(
      tested.filter(({ kind }) => kind !== 'joined'),
      refused,
    ),
    refusedJoined: share(
      tested.filter(({ kind }) => kind === 'joined'),
      refused,
    ),
    refusedFitting: share(fitting, refused),
    bins: Array.from({ length: 10 }, (_, i) => binOf(i)),
  }

  function binOf(i: number): Bin {
    const inside = fitting.flatMap(({ signs, place }) => {
      const confidence = signs === null ? 0 : probability(right, signs)
      return Math.min(9, Math.floor(confidence * 10)) === i ? { confidence, right: place === 0 } : []
    })
    const confidence = mean(inside.map((each) => each.confidence))
    return { share: inside.length / fitting.length, confidence, right: share(inside, (each) => each.right) }
  }
}

function share<T>(all: readonly T[], counts: (each: T) => boolean): number {
  return mean(all.map((each) => (counts(each) ? 1 : 0)))
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length)
}
