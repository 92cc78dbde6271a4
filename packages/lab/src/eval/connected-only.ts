import { buildRanker, readKnowledge } from '@onward/predict'
import { builtInSet } from '../train/training-sets.ts'

/** Users have few apps. */
const CONNECTED_APPS = 5

/** Predictions with a confidence from `from` to `to`. Shares are of all prompts, from 0 to 1. */
type ReliabilityBin = {
  readonly from: number
  readonly to: number
  /**
   * Of the prompts whose app is connected: the share in this bin, and of these the mean confidence and the share with the right function,
   * or null if there are none.
   */
  readonly connected: { readonly share: number; readonly confidence: number | null; readonly right: number | null }
  /** Of the prompts whose app is not connected: the share in this bin. */
  readonly not_connected: number
}

export type Reliability = {
  /** The shares of prompts that are refused. */
  readonly refused: { readonly connected: number; readonly not_connected: number }
  readonly bins: readonly ReliabilityBin[]
}

/** `confidence` is null when the prompt was refused. */
type Prediction = { readonly confidence: number | null; readonly right: boolean }

/**
 * Measures how often predictions are right that are restricted to connected apps. Each example of the built-in apps is asked twice: by a
 * user who has connected its app and the next four of the catalog, and by one who has connected only the next five. The ranker runs in this
 * process, and its functions have no examples.
 */
export async function measureConnectedOnly(appsFolder: string, weightsFolder: string): Promise<Reliability> {
  const { functions, queries } = await builtInSet(appsFolder)
  const ranker = await buildRanker(functions, await readKnowledge(weightsFolder))
  const appOf = new Map(functions.map(({ name, app }) => [name, app.name]))
  const apps = [...new Set(appOf.values())]
  const asked = queries.flatMap(({ prompt, gold }) => gold.map((name) => ({ prompt, name, at: apps.indexOf(appOf.get(name) ?? '') })))
  const connected = asked.map(({ prompt, name, at }) => ask(prompt, name, appsFrom(at)))
  const notConnected = asked.map(({ prompt, name, at }) => ask(prompt, name, appsFrom(at + 1)))
  return {
    refused: { connected: refusedShare(connected), not_connected: refusedShare(notConnected) },
    bins: binsOf(connected, notConnected),
  }

  function appsFrom(at: number): ReadonlySet<string> {
    return new Set([...apps, ...apps].slice(at, at + CONNECTED_APPS))
  }

  function ask(prompt: string, right: string, own: ReadonlySet<string>): Prediction {
    const wanted = (number: number) => own.has(functions[number]?.app.name ?? '')
    const { fits, ranked } = ranker.rank(prompt, { connected: (app) => own.has(app), wanted, count: 1 })
    const [best] = fits ? ranked : []
    return { confidence: best?.confidence ?? null, right: best !== undefined && functions[best.number]?.name === right }
  }
}

function binsOf(connected: readonly Prediction[], notConnected: readonly Prediction[]): ReliabilityBin[] {
  return [0, 0.2, 0.4, 0.6, 0.8].map((from) => {
    const to = from === 0.8 ? 1 : Math.round((from + 0.2) * 10) / 10
    const inBin = ({ confidence }: Prediction) => confidence !== null && confidence >= from && (confidence < to || to === 1)
    const own = connected.filter(inBin)
    return {
      from,
      to,
      connected: {
        share: own.length / connected.length,
        confidence: mean(own.map(({ confidence }) => confidence ?? 0)),
        right: mean(own.map(({ right }) => Number(right))),
      },
      not_connected: notConnected.filter(inBin).length / notConnected.length,
    }
  })
}

function refusedShare(all: readonly Prediction[]): number {
  return all.filter(({ confidence }) => confidence === null).length / all.length
}

function mean(all: readonly number[]): number | null {
  return all.length === 0 ? null : all.reduce((sum, each) => sum + each, 0) / all.length
}
