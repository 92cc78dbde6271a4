export { predictArguments } from './arguments/predict-arguments.ts'
export type { Asking, Fillable, Origin, PredictedArgument, PredictedArguments, Variables } from './arguments/types.ts'
export { buildRanker, type Ranked, type Ranker, type Ranking } from './ranking/ranker.ts'
