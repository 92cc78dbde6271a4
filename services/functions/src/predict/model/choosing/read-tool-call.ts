import { ModelError } from '../server/model-error.ts'

/** `arguments` is JSON text as the model wrote it. */
export type ToolCall = { readonly id: string; readonly name: string; readonly arguments: string }

/** The first call of a message that is of an offered tool; `none`: it calls nothing; `unknown`: nothing that was offered. Throws a ModelError `rubbish`. */
export function readToolCall(message: unknown, offered: (name: string) => boolean): ToolCall | 'none' | 'unknown' {
  if (typeof message !== 'object' || message === null) throw new ModelError('rubbish')
  const calls = (message as { tool_calls?: unknown }).tool_calls ?? []
  if (!Array.isArray(calls)) throw new ModelError('rubbish')
  if (calls.length === 0) return 'none'
  return calls.map(readCall).find(({ name }) => offered(name)) ?? 'unknown'
}

function readCall(call: unknown): ToolCall {
  const { id, function: called } = (call ?? {}) as { id?: unknown; function?: { name?: unknown; arguments?: unknown } }
  if (typeof called?.name !== 'string') throw new ModelError('rubbish')
  const args = called.arguments ?? '{}'
  // Some servers give the object itself.
  return {
    id: typeof id === 'string' && id !== '' ? id : 'call',
    name: called.name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }
}
