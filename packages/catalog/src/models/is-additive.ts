import type { AppFunction } from '../types.ts'

const ADDITIVE: ReadonlySet<string> = new Set([
  ...['add', 'append', 'comment', 'copy', 'create', 'draft', 'duplicate', 'forward', 'invite', 'log', 'make', 'open', 'post', 'publish'],
  ...['react', 'record', 'reply', 'request', 'schedule', 'send', 'share', 'start', 'submit', 'upload'],
])

/** Whether an action only adds to what is there, by the verb of its name. HTTP methods don't tell: many APIs delete by POST. */
export function isAdditive({ name, app, type }: AppFunction): boolean {
  const verb = name.slice(app.name.length + 1).split('-')[0] ?? ''
  return type === 'ACTION' && ADDITIVE.has(verb)
}
