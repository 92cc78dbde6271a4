import { fileURLToPath } from 'node:url'
import { loadCatalog, readPhrasings } from '@onward/catalog'
import { readOutOfScope } from '@onward/predict/training'
import { readSets } from '../training-sets.ts'
import type { Lessons } from './lessons.ts'

const own = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const APPS = own('../../../../catalog/apps')

/** Reads all that is in the repository, except the prompts that test refusals. */
export async function readLessons(weightsFolder: string): Promise<Lessons> {
  const { functions } = await loadCatalog([APPS])
  const outOfScope = (await readOutOfScope(weightsFolder)).filter(({ half }) => half !== 'test')
  return { functions, phrasings: await readPhrasings([APPS]), outOfScope, sets: await readSets(own('../sets')) }
}
