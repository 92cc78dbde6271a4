import { contentWords, normalize, numberWords } from '@onward/predict/training'
import { openRandom } from '@onward/testbed'
import type { Lesson } from './lesson.ts'
import { type Exercise, openStudent } from './student.ts'
import { meanOf, principalAxes, project, rowOf, rowsOf, type Table } from './table.ts'
import { shuffle } from './texts.ts'

const SEED = 1
const EPOCHS = 6
const BATCH = 256
const RATE = 2e-3
const MAX_HELD_OUT = 1500

/**
 * Learns vectors of words by distillation. Added up over the words of a text, they point in the direction of the teacher's vector of the
 * text, projected to the `dims` principal components. `taught` holds the teacher's vectors of words and texts. Deterministic.
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
  const heldOut = exercises.splice(0, Math.min(MAX_HELD_OUT, Math.ceil(exercises.length / 10)))
  const steps = EPOCHS * Math.ceil(exercises.length / BATCH)
  let step = 0
  for (let epoch = 1; epoch <= EPOCHS; epoch++) {
    shuffle(exercises, draw)
    for (let at = 0; at < exercises.length; at += BATCH) student.learn(exercises.slice(at, at + BATCH), RATE * (1 - (0.9 * step++) / steps))
    say(
      `epoch ${epoch} of ${EPOCHS}: mean cosine with the teacher ${student.cosine(heldOut).toFixed(4)} on ${heldOut.length} held-out texts`,
    )
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

/**
 * Returns the inputs of the student: for each word the teacher's vector of the word alone, and its frequency. `words` is sorted by
 * frequency.
 */
function wordInputs(words: Table): Table {
  const rows = rowsOf(words)
  const inputs: Table = { width: words.width + 3, cells: new Float32Array(rows.length * (words.width + 3)) }
  for (const [place, row] of rows.entries()) {
    const rarity = (Math.log(place + 10) - 8) / 2
    rowOf(inputs, place).set([...row, 1, rarity, rarity ** 2])
  }
  return inputs
}
