import { nearLabel } from './near-label.ts'
import type { Found, Option, Place, Wanted } from './option.ts'
import { placeScore } from './place-score.ts'
import { type ReadPrompt, readPrompt } from './read-prompt.ts'

/** A required parameter is filled when a label stands where a name may stand, another one only when the prompt says what it names. */
const ENOUGH = { required: 1.5, optional: 3 } as const

/** The one option that a prompt names; undefined when none is named clearly, or two are. */
export function findLabel(text: string, options: readonly Option[], wanted: Wanted): Found | undefined {
  const prompt = readPrompt(text)
  const enough = wanted.required ? ENOUGH.required : ENOUGH.optional
  const places = options
    .flatMap((option) => placesOf(prompt, option))
    .map((place) => ({ ...place, score: placeScore(prompt, place, wanted) }))
    .filter(({ score }) => score >= enough)
    .sort((a, b) => b.score - a.score || b.option.words.length - a.option.words.length)
  const [best] = places
  if (best === undefined) return nearLabel(prompt, options, wanted)
  const { option, first, last, score } = best
  const rivals = places.filter((other) => other.option.value !== option.value && other.score === score)
  // "Sales" is not meant where "Sales Europe" stands.
  if (rivals.some((other) => other.first < first || other.last > last || other.option.words.length === option.words.length))
    return undefined
  const span = [prompt.words[first]?.start ?? 0, prompt.words[last]?.end ?? 0] as const
  return { option, span, confidence: score >= 4 ? 0.95 : score >= 3 ? 0.9 : 0.75 }
}

function placesOf({ words }: ReadPrompt, option: Option): Place[] {
  const [initial] = option.words
  return words.flatMap(({ text }, first) =>
    text === initial && option.words.every((word, at) => words[first + at]?.text === word)
      ? [{ option, first, last: first + option.words.length - 1 }]
      : [],
  )
}
