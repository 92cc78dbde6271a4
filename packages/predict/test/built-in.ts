import { type AppFunction, loadCatalog } from '@onward/catalog'
import { buildRanker, readKnowledge } from '../src/index.ts'

export const WEIGHTS = 'packages/predict/weights'

/** The functions of the apps that come with Onward, and a ranker of them. */
export async function rankBuiltIn() {
  const { functions } = await loadCatalog(['packages/catalog/apps'])
  const ranker = await buildRanker(functions, await readKnowledge(WEIGHTS))
  const ask = (prompt: string, count = 5, connected = (_app: string) => false) => {
    const { fits, ranked } = ranker.rank(prompt, { connected, count })
    return { fits, ranked, found: ranked.map(({ number }) => functions[number] as AppFunction) }
  }
  return { functions, ask }
}
