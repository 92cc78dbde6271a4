// What packages/lab uses to train the weights and to evaluate them, beside the package itself.

export { candidatesOf } from './arguments/choose/candidates.ts'
export { allSlotsOf } from './arguments/slot/slot.ts'
export type { Fillable } from './arguments/types.ts'
export { finish, inSlices } from './in-slices.ts'
export { predictArguments } from './predict-arguments.ts'
export { buildIndex, type Index, type Phrasings } from './ranking/build-index.ts'
export { CONFIDENCE_FEATURES, confidenceFeaturesOf, type Logistic, probability, refusalCutoff } from './ranking/confidence.ts'
export { type Encoder, type EncoderFile, HASHED, readEncoder, rowOf, writeEncoder } from './ranking/encoder.ts'
export { type English, openVocabulary, readEnglish } from './ranking/english.ts'
export { featuresOf, LEARNT_FEATURES, type Row } from './ranking/features.ts'
export { encodedText, type Rankable } from './ranking/function-text.ts'
export {
  type Judge,
  type Model,
  type ModelFile,
  type OutOfScopePrompt,
  type RankingKnowledge,
  readLearntApps,
  readLines,
  readOutOfScope,
} from './ranking/knowledge.ts'
export { type Candidate, type CandidateRows, order, preference } from './ranking/order.ts'
export { asMessage, readQuery } from './ranking/query.ts'
export { openRetrieval } from './ranking/retrieve.ts'
export { cannotText, nothingText, readProducts } from './ranking/scope.ts'
export { type TypedWord, textWords, typedWords } from './ranking/typed-words.ts'
export { stem } from './words/stems.ts'
export { normalize, numberWords, readVectors, type Vectors } from './words/vectors.ts'
export { verbClasses } from './words/word-groups.ts'
export { contentWords, STOP_WORDS, words } from './words/words.ts'
