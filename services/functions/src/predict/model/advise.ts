import type { ArgumentInput, Ranked, Ranking } from '@onward/predict'
import type { Log } from '@onward/runtime'
import type { Functions } from '../../catalog/functions.ts'
import { askForCall } from './choosing/ask-for-call.ts'
import type { Embeddings } from './embeddings/embeddings.ts'
import { fuse } from './embeddings/fuse.ts'
import { helpOf } from './server/help-of.ts'
import type { ModelServer } from './server/model-server.ts'

/** `arguments` are those that a model gives the first function: valid, by parameter, with variables as tags. */
export type Advice = { readonly ranking: Ranking; readonly arguments?: Readonly<Record<string, unknown>> }

type Parts = {
  /** Chooses; undefined: no model does. */
  readonly server: Pick<ModelServer, 'chat'> | undefined
  readonly embeddings: Embeddings | undefined
  readonly deadlineMs: number
  readonly log: Log
}

export type Question = {
  readonly input: ArgumentInput & { readonly prompt: string }
  readonly offline: Ranking
  readonly functions: Functions
  /** Whether anybody wants to see them. */
  readonly withArguments: boolean
  /** Aborted when nobody waits any more. */
  readonly gone: AbortSignal
}

/** So many functions a model chooses from. */
const OFFERED = 10
const NEAREST = 50
/** How sure a model's choice is at least. Not measured: no model is the same. */
const CHOSEN = 0.9

/**
 * The offline ranking, fused with that of the embeddings, and a model's choice among its first. A model that calls nothing says that
 * nothing fits; one that calls what it was not offered says nothing.
 */
export async function advise({ server, embeddings, deadlineMs, log }: Parts, question: Question): Promise<Advice> {
  const { input, offline, functions, gone } = question
  // What comes too late leaves what came before it.
  let advice: Advice = { ranking: offline }
  await helpOf(log, deadlineMs, gone, async (signal) => {
    const nearest = (await embeddings?.nearest(input.prompt, functions, NEAREST, signal)) ?? []
    const ranked = fuse(offline.ranked, nearest)
    advice = { ranking: { fits: offline.fits, ranked } }
    const offered = ranked.slice(0, OFFERED).flatMap(({ number }) => functions.all[number] ?? [])
    if (server === undefined || offered.length === 0) return
    const choice = await askForCall(server, offered, { input, purpose: 'choose', signal })
    if (choice === 'none') advice = { ranking: { fits: false, ranked: [] } }
    if (typeof choice === 'string') return
    const ranking = { fits: true, ranked: first(ranked, functions.all.indexOf(choice.callable)) }
    advice = { ranking, arguments: choice.arguments }
    if (question.withArguments) advice = { ranking, arguments: await choice.mended() }
  })
  return advice
}

/** A ranking with one function put first, and none surer than it. */
function first(ranked: readonly Ranked[], number: number): Ranked[] {
  const others = ranked.filter((each) => each.number !== number)
  const own = ranked.find((each) => each.number === number)?.confidence ?? 0
  return [{ number, confidence: Math.max(own, CHOSEN, ...others.map(({ confidence }) => confidence)) }, ...others]
}
