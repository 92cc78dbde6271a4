import type { Bin, Figures } from './figures.ts'

const three = (x: number) => x.toFixed(3)

/** Figures by set, and the reliability of confidence over all sets alike, as Markdown. */
export function printTable(rows: readonly (readonly [name: string, Figures])[], say: (line: string) => void): void {
  say('| left out | recall@1 | recall@5 | MRR | refused of nothing-fits | joined | refused of its own |')
  say('|---|---|---|---|---|---|---|')
  for (const [name, { at1, at5, mrr, refusedUnfit, refusedJoined, refusedFitting }] of rows) {
    say(`| ${[name, ...[at1, at5, mrr, refusedUnfit, refusedJoined, refusedFitting].map(three)].join(' | ')} |`)
  }
  const bins = Array.from({ length: 10 }, (_, i) => together(rows.map(([, { bins: own }]) => own[i] as Bin)))
  say('\n| confidence | share of prompts | mean confidence | right |\n|---|---|---|---|')
  for (const [i, { share, confidence, right }] of bins.entries()) {
    if (share > 0) say(`| ${i / 10}–${(i + 1) / 10} | ${three(share)} | ${three(confidence)} | ${three(right)} |`)
  }
  const error = bins.reduce((sum, { share, confidence, right }) => sum + share * Math.abs(confidence - right), 0)
  say(`\nexpected calibration error ${three(error)}`)
}

/** The same bin of several sets; each set counts alike. */
function together(bins: readonly Bin[]): Bin {
  const weight = bins.reduce((sum, { share }) => sum + share, 0)
  const over = (figure: (bin: Bin) => number) => bins.reduce((sum, bin) => sum + bin.share * figure(bin), 0) / (weight || 1)
  return { share: weight / bins.length, confidence: over(({ confidence }) => confidence), right: over(({ right }) => right) }
}
