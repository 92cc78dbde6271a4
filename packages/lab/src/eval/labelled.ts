import { loadCatalog, readPhrasings } from '@onward/catalog'
import { buildRanker, readKnowledge } from '@onward/predict'
import { isExact } from '../train/arguments/choices-of.ts'
import { builtInCases } from '../train/arguments/labelled-sets.ts'
import { rankByWords } from './baseline.ts'
import { NOT_MEASURED, rankOf, type SetReport, scoreRanking, share } from './score-set.ts'
import type { Document } from './sets.ts'

const FILES = ['prompts.jsonl', 'held-out-prompts.jsonl', 'colloquial-prompts.jsonl']
/** The app of the prompt and the next four of the catalog. */
const CONNECTED_APPS = 5
const TOP = 10

/** Scores the labelled prompts over the built-in apps in `cases`. The user has connected five apps, among them the app of the prompt. */
export async function measureLabelled(apps: string, weights: string, cases: string, documents: readonly Document[]): Promise<SetReport[]> {
  const { functions } = await loadCatalog([apps])
  const knowledge = await readKnowledge(weights)
  const ranker = await buildRanker(functions, knowledge, (await readPhrasings([apps])).functions)
  const names = [...new Set(functions.map(({ app }) => app.name))]
  const appOf = new Map(functions.map(({ name, app }) => [name, app.name]))
  const reports: SetReport[] = []
  for (const file of FILES) {
    const { prompts } = await builtInCases(file, apps, `${cases}/${file}`)
    const asked = prompts.map((each) => {
      const at = names.indexOf(appOf.get(each.function) ?? '')
      const connected = new Set([...names, ...names].slice(at, at + CONNECTED_APPS))
      const prompt = each.input.prompt ?? ''
      const { fits, ranked } = ranker.rank(prompt, { connected: (app) => connected.has(app), count: TOP })
      const found = ranked.map(({ number }) => functions[number]?.name ?? '')
      const offered = documents.filter(({ name }) => connected.has(appOf.get(name) ?? ''))
      return {
        fits,
        rank: fits ? rankOf([each.function], found) : 0,
        baseline: rankOf([each.function], rankByWords(offered)(prompt)),
        exact: isExact(each, knowledge.argumentWeights),
      }
    })
    reports.push({
      set: `built-in, ${file}`,
      functions: functions.length,
      prompts: prompts.length,
      calls: prompts.length,
      baseline: scoreRanking(asked.map(({ baseline }) => baseline)),
      shipped: {
        ...NOT_MEASURED,
        ranking: scoreRanking(asked.map(({ rank }) => rank)),
        abstained: share(asked.map(({ fits }) => !fits)),
        exact_given: share(asked.map(({ exact }) => exact)),
        exact_end_to_end: share(asked.map(({ rank, exact }) => rank === 1 && exact)),
      },
    })
  }
  return reports
}
