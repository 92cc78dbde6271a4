import { type ArgumentWeights, inSlices, type Knowledge, readArgumentWeights, warmUp } from '@onward/predict'
import { type Closers, type Log, lazy } from '@onward/runtime'
import type { Functions } from '../catalog/functions.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/tables.ts'
import type { ModelMetrics } from '../metrics.ts'
import { type Model, openModel } from './model/model.ts'
import { type OptionCache, openOptionCache } from './names/options.ts'
import { type LearntPast, openPast } from './past.ts'

/** What predicts functions and arguments, beside the ranker of the catalog. */
export type Prediction = {
  /** Undefined when no model server is configured. */
  readonly model: Model | undefined
  readonly past: LearntPast
  /** The learnt weights for `predictArguments`. */
  readonly argumentWeights: ArgumentWeights
  readonly options: OptionCache
  /** Prepares the process for predicting arguments. Takes about half a second on its first use, in which other requests are served. */
  warmUp(): Promise<void>
}

type Parts = {
  readonly config: Pick<Config, 'model' | 'weightsFolder'>
  readonly db: Db
  readonly knowledge: () => Promise<Knowledge>
  readonly functions: () => Functions
  readonly metrics: ModelMetrics
  readonly log: Log
}

export async function openPrediction(opened: Closers, { config, db, knowledge, functions, metrics, log }: Parts): Promise<Prediction> {
  const past = opened.add(openPast(db, knowledge, log), (each) => each.close())
  const model = opened.add(await openModel(config.model, { db, functions, metrics, log }), (each) => each?.close())
  const argumentWeights = await readArgumentWeights(config.weightsFolder)
  const options = opened.add(openOptionCache(), (each) => each.idle())
  return { model, past, argumentWeights, options, warmUp: lazy(() => inSlices(warmUp())) }
}
