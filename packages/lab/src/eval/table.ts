import type { Reliability } from './connected-only.ts'
import type { RankScores, Scores, SetReport } from './score-set.ts'
import type { TypedScores } from './typed.ts'

const HEADS = [
  ...['set', 'ranker', 'recall@1', 'recall@5', 'MRR', 'abstained', 'refused'],
  ...['exact, function given', 'exact, end to end', 'precision', 'recall', 'p50 ms', 'p95 ms'],
]

/** Returns the reports as a Markdown table. */
export function writeTable(reports: readonly SetReport[]): string {
  const rows = reports.flatMap((report) => [
    ...(report.baseline === null ? [] : [[sizeOf(report), 'lexical baseline', ...ranking(report.baseline), ...Array(8).fill('')]]),
    [report.baseline === null ? sizeOf(report) : '', 'as shipped', ...cellsOf(report.shipped)],
    ...(report.left_out === undefined ? [] : [['', 'left out of training', ...cellsOf(report.left_out)]]),
    ...(report.before === undefined ? [] : [['', 'before', ...cellsOf(report.before)]]),
  ])
  return toTable([HEADS, ...rows], 2)
}

const RELIABILITY_HEADS = ['confidence', 'app connected', 'mean confidence', 'right', 'app not connected']

/** Returns the reliability of predictions among connected apps as a Markdown table. */
export function writeReliability({ refused, bins }: Reliability): string {
  const rows = bins.map(({ from, to, connected, not_connected }) => [
    `${from}–${to}`,
    ...[connected.share, connected.confidence, connected.right, not_connected].map(shareText),
  ])
  return toTable([RELIABILITY_HEADS, ['refused', shareText(refused.connected), '', '', shareText(refused.not_connected)], ...rows], 1)
}

/** Returns what the main table lacks of prompts as people type them as two Markdown tables: the shares, and the reliability. */
export function writeTyped({ bins, refused_by_kind: byKind, ...scores }: TypedScores): string {
  const figures = [
    ...Object.entries(byKind).map(([kind, share]) => [`refused: ${kind}`, share] as const),
    ['refused for the right reason', scores.reason_right] as const,
    ['several requests: the next function is right', scores.next_right] as const,
  ]
  const rows = bins.map(({ from, share, confidence, right }) => [`from ${from}`, ...[share, confidence, right].map(shareText)])
  return `${toTable([['figure', 'share'], ...figures.map(([what, share]) => [what, shareText(share)])], 1)}\n\n${toTable(
    [['confidence', 'share', 'mean confidence', 'right'], ...rows],
    1,
  )}`
}

/** The first row holds the heads; the first `texts` columns are aligned left. */
function toTable([heads = [], ...rows]: readonly (readonly string[])[], texts: number): string {
  return [heads, heads.map((_, at) => (at < texts ? '---' : '--:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function sizeOf({ set, functions, prompts, calls }: SetReport): string {
  const sizes = Object.entries({ functions, prompts, 'with arguments': calls }).filter(([, count]) => count > 0)
  return `${set} (${sizes.map(([what, count]) => `${count} ${what}`).join(', ')})`
}

function cellsOf(scores: Scores): string[] {
  const shares = [scores.abstained, scores.refused, scores.exact_given, scores.exact_end_to_end]
  const parameters = [scores.parameter_precision, scores.parameter_recall]
  const times = [scores.ms_p50, scores.ms_p95].map((ms) => (ms === null ? '' : ms.toFixed(1)))
  return [...ranking(scores.ranking), ...[...shares, ...parameters].map(shareText), ...times]
}

function ranking(scores: RankScores | null): string[] {
  return scores === null ? ['', '', ''] : [scores.recall_at_1, scores.recall_at_5, scores.mrr].map(shareText)
}

/** Returns `.541` or `1.000`, or an empty text where nothing was asked. */
function shareText(share: number | null): string {
  return share === null ? '' : share.toFixed(3).replace(/^0/, '')
}
