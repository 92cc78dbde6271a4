import type { ArgumentMeta } from '@onward/contract'
import { PLAY } from './words.ts'

/** Returns where a predicted argument came from, in words. `prompt` is the text that was predicted from. */
export function originOf(meta: ArgumentMeta, prompt: string): string {
  const { from } = PLAY.prompt
  switch (meta.from) {
    case 'prompt': {
      const [start, end] = meta.span ?? []
      return start === undefined || end === undefined ? from.promptOnly : from.prompt(prompt.slice(start, end))
    }
    case 'variable':
      return from.variable(meta.variable ?? meta.variables?.join(', ') ?? '')
    case 'default':
      return from.default
    case 'source_function':
      return from.source_function(meta.function ?? '')
    case 'model':
      return from.model
  }
}
