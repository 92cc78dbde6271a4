import {
  buildIndex,
  type Candidate,
  type CandidateRows,
  confidenceFeaturesOf,
  featuresOf,
  type Index,
  inSlices,
  type OutOfScopePrompt,
  openRetrieval,
  order,
  type RankingKnowledge,
  readQuery,
} from '@onward/predict/training'
import type { PromptSet } from './training-sets.ts'

export type Prepared = {
  readonly name: string
  readonly index: Index
  readonly fitting: readonly (CandidateRows & { readonly right: readonly boolean[] })[]
  readonly outOfScope: readonly (CandidateRows & OutOfScopePrompt)[]
}

/** Retrieves the candidates of each prompt of a set, and of each out-of-scope prompt, among the functions of the set. */
export async function prepareSet(
  { name, functions, queries }: PromptSet,
  outOfScope: readonly OutOfScopePrompt[],
  knowledge: Pick<RankingKnowledge, 'english' | 'vocabulary' | 'encoder' | 'products' | 'learntApps'>,
): Promise<Prepared> {
  const index = await inSlices(buildIndex(functions, new Map(), { ...knowledge, texts: new WeakMap() }))
  const retrieve = openRetrieval(index)
  const ask = (prompt: string): CandidateRows => {
    const query = readQuery(index, knowledge.encoder, prompt)
    const found = retrieve(query)
    return { query, pool: found.pool, rows: featuresOf(index, query, found) }
  }
  const fitting = queries.map(({ prompt, gold }) => {
    const asked = ask(prompt)
    return { ...asked, right: asked.pool.map((i) => gold.includes(functions[i]?.name ?? '')) }
  })
  return { name, index, fitting, outOfScope: outOfScope.map((each) => ({ ...each, ...ask(each.prompt) })) }
}

/**
 * `place` is the position of the first right candidate, or -1. `confidenceFeatures` are the features of the best candidate, or
 * null if there is none.
 */
export type Judged = { readonly place: number; readonly confidenceFeatures: readonly number[] | null }

export type Verdict = {
  readonly name: string
  readonly fitting: readonly Judged[]
  readonly outOfScope: readonly (Judged & Pick<OutOfScopePrompt, 'half' | 'kind'>)[]
}

/** Ranks the prompts of a set with the given weights. */
export function judgeSet({ name, index, fitting, outOfScope }: Prepared, weights: readonly number[]): Verdict {
  return {
    name,
    fitting: fitting.map(({ right, ...asked }) => {
      const candidates = order(index, weights, asked)
      const best = (each: Candidate) => right[asked.pool.indexOf(each.number)] === true
      return { place: candidates.findIndex(best), confidenceFeatures: confidenceFeatures(asked, candidates) }
    }),
    outOfScope: outOfScope.map(({ half, kind, ...asked }) => ({
      half,
      kind,
      place: -1,
      confidenceFeatures: confidenceFeatures(asked, order(index, weights, asked)),
    })),
  }

  function confidenceFeatures({ query }: CandidateRows, [first, second]: readonly Candidate[]): number[] | null {
    return first === undefined ? null : confidenceFeaturesOf(index, query, first, second)
  }
}

/** Joins two or three out-of-scope prompts of a half, so that the model does not learn that long prompts fit something. */
export function joinPrompts(single: readonly OutOfScopePrompt[], half: OutOfScopePrompt['half']): OutOfScopePrompt[] {
  const own = single.filter((each) => each.half === half)
  const at = (i: number) => own[i % own.length] as OutOfScopePrompt
  return own.flatMap((first, i) => {
    if (i % 2 === 1) return []
    const parts = [first, at(i * 7 + 40), ...(i % 4 === 0 ? [at(i * 3 + 90)] : [])]
    return { prompt: parts.map(({ prompt }) => prompt.replace(/[^?!.]$/, '$&.')).join(' '), half, kind: 'joined' }
  })
}
