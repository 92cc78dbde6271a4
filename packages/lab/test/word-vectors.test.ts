import { finish, normalize, readVectors } from '@onward/predict/training'
import { openRandom } from '@onward/testbed'
import { distil } from '../src/train/vectors/distil.ts'
import { rowOf, rowsOf, type Table, vectorsFile } from '../src/train/vectors/table.ts'

const TOPICS = [
  ['boat', 'harbour', 'sail', 'anchor'],
  ['cake', 'oven', 'flour', 'sugar'],
  ['engine', 'wheel', 'brake', 'garage'],
]
const FILLER = 'perhaps'
const WORDS = [FILLER, ...TOPICS.flat()]
const WIDTH = 16
const DIMS = 8

/** Returns vectors that show the topics of texts. The filler word has no topic in a text, but alone it has the first topic. */
function teach(texts: readonly string[]): Table {
  const rows = texts.map((text) => {
    const row = new Float32Array(WIDTH)
    for (const [topic, of] of TOPICS.entries()) {
      for (const [i, word] of of.entries()) if (text.split(' ').includes(word)) row[topic] = (row[topic] as number) + 1 + i / 10
    }
    if (text === FILLER) row[0] = 1
    return normalize(row)
  })
  const table: Table = { width: WIDTH, cells: new Float32Array(rows.length * WIDTH) }
  for (const [i, row] of rows.entries()) rowOf(table, i).set(row)
  return table
}

function learn() {
  const draw = openRandom(3)
  const pick = (from: readonly string[]) => from[Math.floor(draw() * from.length)] as string
  const texts = Array.from({ length: 4000 }, (_, i) => {
    const topic = TOPICS[i % TOPICS.length] as string[]
    return [pick(topic), FILLER, pick(topic), ...(i % 5 === 0 ? [pick(WORDS)] : [])].join(' ')
  })
  return distil({ words: WORDS, texts }, { words: teach(WORDS), texts: teach(texts) }, DIMS, () => {})
}

describe('distil', () => {
  const learnt = learn()
  const vectors = finish(readVectors(vectorsFile(learnt), WORDS))
  const cosine = (a: string, b: string) => vectors.cosine(vectors.find(a), vectors.find(b))

  it('gives similar vectors to words with similar meanings', () => {
    expect(cosine('boat', 'anchor')).toBeGreaterThan(0.8)
    expect(cosine('boat', 'sugar')).toBeLessThan(0.2)
  })

  it('gives a short vector to a word that does not change the meaning of a text', () => {
    const [filler = 0, ...others] = rowsOf(learnt).map((row) => Math.hypot(...row))
    expect(filler).toBeLessThan(0.8 * Math.min(...others))
  })

  it('is written to a file and read back with an error of at most half a step', () => {
    for (const [word, row] of rowsOf(learnt).entries()) {
      const read = new Float32Array(DIMS)
      vectors.add(read, word)
      const step = Math.max(...row.map(Math.abs)) / 127
      expect(Math.max(...row.map((x, d) => Math.abs(x - (read[d] as number))))).toBeLessThanOrEqual(0.51 * step)
    }
  })

  it('returns the same vectors for the same input', () => {
    expect(learn().cells).toEqual(learnt.cells)
  })
})
