import { own } from '../template/template.ts'
import type { Credentials } from '../types.ts'

type FieldTemplate = {
  readonly names: readonly string[]
  readonly literals: readonly string[]
  fill(account: Credentials, encode?: (value: string) => string): string
}

/** Compiles a text of basic or custom authentication. Its `{field}` tags are replaced by the fields of the account. */
export function compileFieldTemplate(text: string): FieldTemplate {
  // A split with a group returns texts and names in alternation.
  const parts = text.split(/\{([A-Za-z_][A-Za-z0-9_.-]*\*?)\}/)
  return {
    names: parts.filter((_part, index) => index % 2 === 1),
    literals: parts.filter((_part, index) => index % 2 === 0),
    fill: (account, encode = (value) => value) =>
      parts.map((part, index) => (index % 2 === 0 ? part : encode(own(account, part) ?? ''))).join(''),
  }
}
