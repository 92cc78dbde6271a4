import type { ModelSettings } from '../../config.ts'
import type { Model, ModelParts } from './model.ts'

/** The model server's help, where one is set. Without one nothing of it is loaded: the client library is large. */
export async function loadModel(settings: ModelSettings | undefined, parts: ModelParts): Promise<Model | undefined> {
  if (settings === undefined) return undefined
  const { openModel } = await import('./model.ts')
  return await openModel(settings, parts)
}
