import { rowOf, rowsOf, type Table } from './table.ts'

/** What a student is told of each word: what the teacher says of the word alone, and how frequent it is. `words` has the most frequent first. */
export function wordInputs(words: Table): Table {
  const rows = rowsOf(words)
  const inputs: Table = { width: words.width + 3, cells: new Float32Array(rows.length * (words.width + 3)) }
  for (const [place, row] of rows.entries()) {
    const rarity = (Math.log(place + 10) - 8) / 2
    rowOf(inputs, place).set([...row, 1, rarity, rarity ** 2])
  }
  return inputs
}
