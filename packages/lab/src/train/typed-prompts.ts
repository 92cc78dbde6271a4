import { fileURLToPath } from 'node:url'
import { readLines } from '@onward/predict/training'

/**
 * A prompt as people type it, of a user who has connected some apps. `gold` has the right functions, none if no function fits. The half
 * `choose` is for training; the half `blind` is only measured.
 */
export type TypedPrompt = {
  readonly id: string
  readonly prompt: string
  readonly gold: readonly string[]
  /** In prompts with several requests: the functions of the further ones. */
  readonly others?: readonly string[]
  /** Why no function fits. */
  readonly kind?: 'operation' | 'app' | 'chat' | 'knowledge' | 'impossible'
  readonly connected: readonly string[]
  readonly language: string
  readonly half: 'choose' | 'blind'
}

/** Returns the prompts of a half. They were written by people who had not seen the phrasings of the apps. */
export async function readTypedPrompts(half: TypedPrompt['half']): Promise<TypedPrompt[]> {
  const all = await readLines<TypedPrompt>(fileURLToPath(new URL('typed.jsonl', import.meta.url)))
  return all.filter((each) => each.half === half)
}
