import { own } from '../request/template.ts'
import type { Credentials } from '../types.ts'

type FieldTemplate = {
  readonly names: readonly string[]
  readonly literals: readonly string[]
  fill(account: Credentials, encode?: (value: string) => string): string
}

/** Compiles a text with `{field}` tags over an account's fields, as the templates of basic and custom authentication are. */
export function compileFieldTemplate(text: string): FieldTemplate {
  // A split with a group gives text and name in turns.
  const parts = text.split(/\{([A-Za-z_][A-Za-z0-9_.-]*\*?)\}/)
  return {
    names: parts.filter((_part, index) => index % 2 === 1),
    literals: parts.filter((_part, index) => index % 2 === 0),
    fill: (account, encode = (value) => value) =>
      parts.map((part, index) => (index % 2 === 0 ? part : encode(own(account, part) ?? ''))).join(''),
  }
}
