import { buildIndex, type Index } from '../src/ranking/build-index.ts'
import type { English } from '../src/ranking/english.ts'
import { featuresOf } from '../src/ranking/features.ts'
import { inSlices } from '../src/ranking/in-slices.ts'
import type { Unfit } from '../src/ranking/nothing-fits.ts'
import type { Asked } from '../src/ranking/order.ts'
import { readQuery } from '../src/ranking/query.ts'
import { openRetrieval } from '../src/ranking/retrieve.ts'
import { openVocabulary } from '../src/ranking/vocabulary.ts'
import type { PromptSet } from './training-sets.ts'

export type Prepared = {
  readonly name: string
  readonly index: Index
  readonly fitting: readonly (Asked & { readonly right: readonly boolean[] })[]
  readonly unfit: readonly (Asked & Unfit)[]
}

/** The candidates of each prompt of a set, and of the prompts that nothing fits, among the set's functions. */
export async function prepareSet({ name, functions, queries }: PromptSet, unfit: readonly Unfit[], english: English): Promise<Prepared> {
  const index = await inSlices(buildIndex(functions, english, openVocabulary(english), new WeakMap()))
  const retrieve = openRetrieval(index)
  const ask = (prompt: string): Asked => {
    const query = readQuery(index, prompt)
    const found = retrieve(query)
    return { query, pool: found.pool, rows: featuresOf(index, query, found) }
  }
  const fitting = queries.map(({ prompt, gold }) => {
    const asked = ask(prompt)
    return { ...asked, right: asked.pool.map((i) => gold.includes(functions[i]?.name ?? '')) }
  })
  return { name, index, fitting, unfit: unfit.map((each) => ({ ...each, ...ask(each.prompt) })) }
}
