import { openRandom } from '@onward/testbed'
import { normalize } from '../../src/words/embed.ts'
import { numberWords } from '../../src/words/number-words.ts'
import { contentWords } from '../../src/words/words.ts'
import { meanOf, principalAxes } from './principal-axes.ts'
import { project } from './project.ts'
import type { Lesson } from './read-lesson.ts'
import { shuffle } from './shuffle.ts'
import { type Exercise, openStudent } from './student.ts'
import { rowOf, rowsOf, type Table } from './table.ts'
import { wordInputs } from './word-inputs.ts'

const SEED = 1
const EPOCHS = 6
const BATCH = 256
const RATE = 2e-3
const MOST_HELD_OUT = 1500

/**
 * Vectors of the lesson's words: added up over the words of a text, they point where the teacher's vector of the text points, in the `dims` directions in which texts
 * differ most. `taught` holds the teacher's vectors of the lesson's words and texts. Deterministic.
 */
export function distil(
  lesson: Lesson,
  taught: { readonly words: Table; readonly texts: Table },
  dims: number,
  say: (line: string) => void,
): Table {
  for (const row of [...rowsOf(taught.words), ...rowsOf(taught.texts)]) normalize(row)
  const { mean, axes } = principalAxes(taught.texts, 2 * dims)
  const targets = project(taught.texts, { mean, axes: axes.slice(0, dims) })
  const student = openStudent(wordInputs(project(taught.words, { mean: meanOf(taught.words), axes })), dims)

  const draw = openRandom(SEED)
  const exercises = shuffle(exercisesOf(lesson, targets), draw)
  const heldOut = exercises.splice(0, Math.min(MOST_HELD_OUT, Math.ceil(exercises.length / 10)))
  const steps = EPOCHS * Math.ceil(exercises.length / BATCH)
  let step = 0
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    shuffle(exercises, draw)
    for (let at = 0; at < exercises.length; at += BATCH) student.learn(exercises.slice(at, at + BATCH), RATE * (1 - (0.9 * step++) / steps))
    say(`${epoch} of ${EPOCHS}: mean cosine with the teacher on ${heldOut.length} texts held out ${student.cosine(heldOut).toFixed(4)}`)
  }
  return student.vectors()
}

function exercisesOf({ words, texts }: Lesson, targets: Table): Exercise[] {
  const { find } = numberWords(words)
  return texts.flatMap((text, i) => {
    const known = [...new Set(contentWords(text).map(find))].filter((number) => number >= 0)
    return known.length === 0 ? [] : { words: known, target: normalize(rowOf(targets, i)) }
  })
}
