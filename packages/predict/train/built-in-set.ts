import { loadCatalog } from '@onward/catalog'
import type { PromptSet } from '../src/ranking/read-sets.ts'

/** The app files of a folder as a set: each example prompt is right for its function. Examples are no part of what is ranked. */
export async function builtInSet(folder: string): Promise<PromptSet> {
  const { functions } = await loadCatalog([folder])
  const queries = functions.flatMap(({ name, examples }) => examples.map((prompt) => ({ prompt, gold: [name] })))
  return { name: 'builtin', functions: functions.map((fn) => ({ ...fn, examples: [] })), queries }
}
