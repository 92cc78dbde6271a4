import { type Label, type Labels, labelsOf } from './labels.ts'
import { nearLabel } from './near-label.ts'
import type { Found, Offered, Option, Wanted } from './option.ts'
import { openScores } from './place-score.ts'
import { type ReadPrompt, readPrompt } from './read-prompt.ts'

/** A required parameter is filled when a label stands where a name may stand, another one only when the prompt says what it names. */
const ENOUGH = { required: 1.5, optional: 3 } as const

/** Words of a prompt that are a label: the first and the last of them, what speaks for it, and which option it means, if a single one. */
type Place = {
  readonly label: Label
  readonly first: number
  readonly last: number
  readonly score: number
  readonly option: Option | undefined
}

/**
 * The one option that a prompt names; undefined when none is named clearly, or two are. What is only near to a label is not looked for
 * where not all labels are known: one that did not come may be nearer.
 */
export function findLabel(text: string, { options, whole }: Offered, wanted: Wanted): Found | undefined {
  const prompt = readPrompt(text)
  const labels = labelsOf(options)
  const enough = wanted.required ? ENOUGH.required : ENOUGH.optional
  const places = placesOf(prompt, labels, wanted).filter(({ score }) => score >= enough)
  const [start, ...others] = places
  if (start === undefined) return whole ? nearLabel(prompt, labels, wanted) : undefined
  const best = others.reduce((a, b) => ((b.score - a.score || b.label.length - a.label.length) > 0 ? b : a), start)
  const { option, first, last, score } = best
  if (option === undefined) return undefined
  const rivals = places.filter((other) => other.score === score && other.option?.value !== option.value)
  // "Sales" is not meant where "Sales Europe" stands.
  if (rivals.some((other) => other.first < first || other.last > last || other.label.length === best.label.length)) return undefined
  const span = [prompt.words[first]?.start ?? 0, prompt.words[last]?.end ?? 0] as const
  return { option, span, confidence: score >= 4 ? 0.95 : score >= 3 ? 0.9 : 0.75 }
}

/** Looked up by the words of the prompt: apps have a thousand labels, and a prompt may say one five hundred times. */
function placesOf(prompt: ReadPrompt, labels: Labels, wanted: Wanted): Place[] {
  const { text, words } = prompt
  const scoreAt = openScores(prompt, wanted)
  const longest = Math.max(0, ...Array.from(labels.keys(), (key) => key.length))
  return words.flatMap((initial, first) => {
    const places: Place[] = []
    let key = ''
    for (let last = first; last < words.length && key.length <= longest; last++) {
      key = last === first ? initial.text : `${key} ${words[last]?.text}`
      const label = labels.get(key)
      if (label === undefined) continue
      const said = text.slice(initial.start, words[last]?.end)
      const isSpelled = /\p{Lu}/u.test(said) && label.spelled.has(said)
      const score = scoreAt(label, first, last, isSpelled)
      const isMeant = isSpelled && score > scoreAt(label, first, last, false)
      places.push({ label, first, last, score, option: isMeant ? label.spelled.get(said) : label.option })
    }
    return places
  })
}
