import { type Judge, probability, refusalCutoff } from '@onward/predict/training'
import type { Judged, Verdict } from './prepare-set.ts'

/** Shares, 0 to 1. */
export type Figures = {
  readonly at1: number
  readonly at5: number
  readonly mrr: number
  /** Refused shares of the test half of the out-of-scope prompts, alone and joined, and of the set's own prompts. */
  readonly refusedOutOfScope: number
  readonly refusedJoined: number
  readonly refusedFitting: number
  /** For each tenth of confidence: the share of prompts, the mean confidence, and the share of right ones. */
  readonly bins: readonly Bin[]
}

type Bin = { readonly share: number; readonly confidence: number; readonly right: number }

export function figuresOf({ fitting, outOfScope }: Verdict, { fits, right }: Judge): Figures {
  const within = (k: number) => share(fitting, ({ place }) => place >= 0 && place < k)
  const likely = ({ confidenceFeatures }: Judged) => (confidenceFeatures === null ? 0 : probability(fits, confidenceFeatures))
  const cutoff = refusalCutoff(outOfScope.filter(({ half, kind }) => half === 'dev' && kind !== 'joined').map(likely))
  const refused = (each: Judged) => likely(each) < cutoff
  const tested = outOfScope.filter(({ half }) => half === 'test')
  return {
    at1: within(1),
    at5: within(5),
    mrr: mean(fitting.map(({ place }) => (place < 0 ? 0 : 1 / (place + 1)))),
    refusedOutOfScope: share(
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
    const inside = fitting.flatMap(({ confidenceFeatures, place }) => {
      const confidence = confidenceFeatures === null ? 0 : probability(right, confidenceFeatures)
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

const three = (x: number) => x.toFixed(3)

/** Prints the figures of each set, and the reliability of confidence over all sets with equal weights, as Markdown. */
export function printTable(rows: readonly (readonly [name: string, Figures])[], say: (line: string) => void): void {
  say('| left out | recall@1 | recall@5 | MRR | refused | joined | refused of its own |')
  say('|---|---|---|---|---|---|---|')
  for (const [name, { at1, at5, mrr, refusedOutOfScope, refusedJoined, refusedFitting }] of rows) {
    say(`| ${[name, ...[at1, at5, mrr, refusedOutOfScope, refusedJoined, refusedFitting].map(three)].join(' | ')} |`)
  }
  const bins = Array.from({ length: 10 }, (_, i) => averageBins(rows.map(([, { bins: own }]) => own[i] as Bin)))
  say('\n| confidence | share of prompts | mean confidence | right |\n|---|---|---|---|')
  for (const [i, { share, confidence, right }] of bins.entries()) {
    if (share > 0) say(`| ${i / 10}–${(i + 1) / 10} | ${three(share)} | ${three(confidence)} | ${three(right)} |`)
  }
  const error = bins.reduce((sum, { share, confidence, right }) => sum + share * Math.abs(confidence - right), 0)
  say(`\nexpected calibration error ${three(error)}`)
}

/** Averages a bin over several sets with equal weights. */
function averageBins(bins: readonly Bin[]): Bin {
  const weight = bins.reduce((sum, { share }) => sum + share, 0)
  const over = (figure: (bin: Bin) => number) => bins.reduce((sum, bin) => sum + bin.share * figure(bin), 0) / (weight || 1)
  return { share: weight / bins.length, confidence: over(({ confidence }) => confidence), right: over(({ right }) => right) }
}
