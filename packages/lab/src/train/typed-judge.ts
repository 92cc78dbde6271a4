import {
  buildIndex,
  type Candidate,
  CONFIDENCE_FEATURES,
  confidenceFeaturesOf,
  type Encoder,
  featuresOf,
  type Index,
  inSlices,
  type Model,
  openRetrieval,
  order,
  type Phrasings,
  preference,
  probability,
  type RankingKnowledge,
  readQuery,
} from '@onward/predict/training'
import { type Lessons, teachEncoder } from './encoder/lessons.ts'
import { fitLogistic, type Point } from './regression.ts'
import type { TypedPrompt } from './typed-prompts.ts'

type Parts = Pick<RankingKnowledge, 'english' | 'vocabulary' | 'products' | 'learntApps'> & {
  readonly encoder: Encoder
  readonly weights: readonly number[]
  readonly lessons: Lessons
  readonly chosen: readonly TypedPrompt[]
}

/** The share of the prompts that fit that may be refused. */
const REFUSED = 0.02
/** How many apps a user has connected, beside the app of the prompt. */
const OTHER_APPS = 5

/** The features of the first candidate, without connected apps, and of the candidate that is returned. */
type Asked = { readonly scope: Point | undefined; readonly right: Point | undefined }

/**
 * Fits the judge of functions with phrasings, on prompts that the encoder has not learnt: each half of the phrasings with an encoder that
 * learnt the other half, and the prompts of `chosen`. Both count equally.
 */
export async function fitTypedJudge({ lessons, chosen, weights, encoder, ...english }: Parts): Promise<Model['typed']> {
  const { functions, phrasings, outOfScope } = lessons
  const apps = [...new Set(functions.map(({ app }) => app.name))]
  const learnt: Asked[] = []
  for (const half of [0, 1]) {
    const isLearnt = (number: number) => number % 2 === half
    const ask = await open(teachEncoder(english.english, lessons, isLearnt), halfOf(phrasings.functions, isLearnt))
    for (const [at, fn] of functions.entries()) {
      const own = new Set([fn.app.name, ...Array.from({ length: OTHER_APPS }, (_, k) => apps[(at * 7 + k * 11) % apps.length] as string)])
      const asked = (phrasings.functions.get(fn.name) ?? []).filter((_, number) => !isLearnt(number))
      learnt.push(...asked.map((prompt) => ask(prompt, [fn.name], own)))
    }
    const cannot = [...phrasings.cannot].flatMap(([app, prompts]) =>
      prompts.filter((_, n) => !isLearnt(n)).map((prompt) => ({ prompt, app })),
    )
    learnt.push(...cannot.map(({ prompt, app }) => ask(prompt, [], new Set([app]))))
    learnt.push(...outOfScope.filter((_, number) => !isLearnt(number)).map(({ prompt }) => ask(prompt, [], new Set())))
  }
  const ask = await open(encoder, phrasings.functions)
  const own = chosen.map(({ prompt, gold, connected }) => ask(prompt, gold, new Set(connected)))
  const groups = [learnt, own]
  const fits = fitLogistic(
    groups.flatMap((group) => balanced(group.flatMap(({ scope }) => scope ?? []))),
    CONFIDENCE_FEATURES.length,
  )
  const right = fitLogistic(
    groups.flatMap((group) => shared(group.flatMap((each) => each.right ?? []))),
    CONFIDENCE_FEATURES.length,
  )
  const fitting = own.flatMap(({ scope }) => (scope?.right ? probability(fits, scope.confidenceFeatures) : []))
  const cutoff = fitting.sort((a, b) => a - b)[Math.floor(fitting.length * REFUSED)] ?? 0
  return { fits, right, cutoff }

  async function open(taught: Encoder, typed: Phrasings) {
    const index = await inSlices(buildIndex(functions, typed, { ...english, encoder: taught, texts: new WeakMap() }))
    const retrieve = openRetrieval(index)
    return (prompt: string, gold: readonly string[], connected: ReadonlySet<string>): Asked => {
      const query = readQuery(index, taught, prompt)
      const isConnected = (app: string) => connected.has(app)
      const found = retrieve(query, isConnected)
      const rows = { query, pool: found.pool, rows: featuresOf(index, query, found) }
      const scope = pointOf(index, query, order(index, weights, rows), () => gold.length > 0)
      const preferred = order(index, weights, rows, (number) => preference(index, number, query, isConnected))
      const isRight = ({ number }: Candidate) => gold.includes(functions[number]?.name ?? '')
      return { scope, right: gold.length === 0 ? undefined : pointOf(index, query, preferred, isRight) }
    }
  }
}

function pointOf(
  index: Index,
  query: ReturnType<typeof readQuery>,
  [first, second]: readonly Candidate[],
  isRight: (first: Candidate) => boolean,
) {
  if (first === undefined) return undefined
  return { confidenceFeatures: confidenceFeaturesOf(index, query, first, second), right: isRight(first), weight: 1 }
}

function halfOf(phrasings: Phrasings, isLearnt: (number: number) => boolean): Phrasings {
  return new Map([...phrasings].map(([name, prompts]) => [name, prompts.filter((_, number) => isLearnt(number))]))
}

/** Gives the points the weight 1 together. */
function shared(points: readonly Point[]): Point[] {
  return points.map((point) => ({ ...point, weight: 1 / points.length }))
}

/** Gives the right points and the others the same weight. */
function balanced(points: readonly Point[]): Point[] {
  return [true, false].flatMap((right) => shared(points.filter((point) => point.right === right)))
}
