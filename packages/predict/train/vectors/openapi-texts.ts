import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { shuffle } from './shuffle.ts'

/** So that one large document does not outweigh the others. */
const MOST_OF_ONE = 450
const SHORTEST = 12

/** The first sentences of summaries and descriptions in the OpenAPI documents (JSON, YAML) of a folder. */
export async function openApiTexts(folder: string, draw: () => number): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => /\.(json|ya?ml)$/.test(name)).sort()
  const documents = await Promise.all(names.map((name) => readDocument(join(folder, name))))
  const found = documents.filter((document) => 'paths' in document).map((document) => [...new Set(sentencesIn(document))])
  if (found.length === 0) throw new Error(`${folder} holds no OpenAPI document`)
  return found.flatMap((sentences) => shuffle(sentences, draw).slice(0, MOST_OF_ONE))
}

async function readDocument(path: string): Promise<object> {
  const text = await readFile(path, 'utf8')
  return Object(path.endsWith('.json') ? JSON.parse(text) : parse(text))
}

function* sentencesIn(value: object): Generator<string> {
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object' && inner !== null) yield* sentencesIn(inner)
    if (typeof inner !== 'string' || (name !== 'summary' && name !== 'description')) continue
    const [first = ''] = inner.trim().split(/(?<=[.!?])\s/)
    if (first.length >= SHORTEST) yield first
  }
}
