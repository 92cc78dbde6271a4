import { loadCatalog, readPhrasings } from '@onward/catalog'
import { buildRanker, furtherRequest, type RefusalReason, readKnowledge } from '@onward/predict'
import { readTypedPrompts, type TypedPrompt } from '../train/typed-prompts.ts'
import { rankByWords } from './baseline.ts'
import { NOT_MEASURED, type RankScores, rankOf, type SetReport, scoreRanking } from './score-set.ts'
import type { Document } from './sets.ts'

/** Shares, 0 to 1. */
export type TypedScores = RankScores & {
  readonly functions: number
  readonly prompts: number
  /** Prompts that fit and were refused. They count as misses in the recalls. */
  readonly falsely_refused: number
  /** Prompts that no function fits and that were refused, all and by kind. */
  readonly refused: number
  readonly refused_by_kind: Readonly<Record<string, number>>
  /** Of these, refused for the right reason. */
  readonly reason_right: number
  /** Of the prompts with several requests, those whose next function is right. */
  readonly next_right: number
  /** For each fifth of confidence: the share of the prompts that fit, the mean confidence, and the share that is right. */
  readonly bins: readonly { readonly from: number; readonly share: number; readonly confidence: number; readonly right: number }[]
}

/** Why the service should say that no function fits. */
const REASONS: Readonly<Record<NonNullable<TypedPrompt['kind']>, RefusalReason>> = {
  operation: 'no_such_operation',
  app: 'no_such_app',
  chat: 'out_of_scope',
  knowledge: 'out_of_scope',
  impossible: 'out_of_scope',
}
const TOP = 10
/** The service returns no function of lower confidence for a further request. */
const NEXT_CONFIDENCE = 0.5

/** Scores the prompts of a half as people type them, with their connected apps. `missed` gets each wrong answer. */
export async function measureTyped(
  apps: string,
  weights: string,
  half: TypedPrompt['half'],
  missed: (line: string) => void = () => {},
): Promise<TypedScores> {
  const { functions } = await loadCatalog([apps])
  const ranker = await buildRanker(functions, await readKnowledge(weights), (await readPhrasings([apps])).functions)
  const asked = (await readTypedPrompts(half)).map((each) => {
    const rank = (prompt: string, count: number) => ranker.rank(prompt, { connected: (app) => each.connected.includes(app), count })
    const { fits, ranked, refused } = rank(each.prompt, TOP)
    const names = ranked.map(({ number }) => functions[number]?.name ?? '')
    const place = fits ? names.findIndex((name) => each.gold.includes(name)) : -1
    const confidence = ranked[0]?.confidence ?? 0
    if (each.gold.length > 0 && place !== 0) {
      missed(
        `${each.id} ${fits ? '' : `REFUSED ${refused?.reason} `}${each.prompt} | ${names.slice(0, 2)} (${confidence}) | ${each.gold[0]}`,
      )
    }
    if (each.gold.length === 0 && fits) missed(`${each.id} ${each.kind} ANSWERED ${each.prompt} | ${names[0]} (${confidence})`)
    const further = furtherRequest(each.prompt)
    const second = further === undefined ? undefined : rank(further, 1)
    const [next] = second?.fits ? second.ranked.filter((found) => found.confidence >= NEXT_CONFIDENCE) : []
    return { ...each, fits, place, confidence, reason: refused?.reason, next: functions[next?.number ?? -1]?.name }
  })
  const fitting = asked.filter(({ gold }) => gold.length > 0)
  const others = asked.filter(({ gold }) => gold.length === 0)
  const kinds = [...new Set(others.map(({ kind }) => kind ?? ''))]
  const answered = fitting.filter(({ fits }) => fits)
  return {
    functions: functions.length,
    prompts: asked.length,
    recall_at_1: share(fitting, ({ place }) => place === 0),
    recall_at_5: share(fitting, ({ place }) => place >= 0 && place < 5),
    mrr: fitting.reduce((sum, { place }) => sum + (place < 0 ? 0 : 1 / (place + 1)), 0) / fitting.length,
    falsely_refused: share(fitting, ({ fits }) => !fits),
    refused: share(others, ({ fits }) => !fits),
    refused_by_kind: Object.fromEntries(
      kinds.map((kind) => [
        kind,
        share(
          others.filter((each) => each.kind === kind),
          ({ fits }) => !fits,
        ),
      ]),
    ),
    reason_right: share(
      others.filter(({ fits }) => !fits),
      ({ kind, reason }) => kind !== undefined && reason === REASONS[kind],
    ),
    next_right: share(
      fitting.filter((each) => each.others !== undefined),
      ({ others: wanted = [], next }) => wanted.includes(next ?? ''),
    ),
    bins: [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
      const inside = answered.filter(({ confidence }) => confidence >= from && (confidence < from + 0.2 || from === 0.8))
      return {
        from,
        share: inside.length / fitting.length,
        confidence: inside.reduce((sum, each) => sum + each.confidence, 0) / Math.max(1, inside.length),
        right: share(inside, ({ place }) => place === 0),
      }
    }),
  }
}

function share<T>(all: readonly T[], counts: (each: T) => boolean): number {
  return all.filter(counts).length / Math.max(1, all.length)
}

/** Returns the scores of the lexical baseline for the prompts of a half that fit, among the functions of the connected apps. */
export async function measureTypedBaseline(documents: readonly Document[], half: TypedPrompt['half']): Promise<RankScores | null> {
  const fitting = (await readTypedPrompts(half)).filter(({ gold }) => gold.length > 0)
  return scoreRanking(
    fitting.map(({ prompt, gold, connected }) => {
      const offered = documents.filter(({ name }) => connected.some((app) => name.startsWith(`${app}-`)))
      return rankOf(gold, rankByWords(offered)(prompt))
    }),
  )
}

/** Returns the scores as those of a set. */
export function typedReport(half: TypedPrompt['half'], typed: TypedScores, baseline: RankScores | null): SetReport {
  const { functions, prompts, falsely_refused: abstained, refused } = typed
  return {
    set: `built-in, as people type, ${half} half`,
    functions,
    prompts,
    calls: 0,
    baseline,
    shipped: { ...NOT_MEASURED, ranking: typed, abstained, refused },
  }
}
