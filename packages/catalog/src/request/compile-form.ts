import type { Path, Report } from '../problems.ts'
import { type Payload, writeForm } from './payload.ts'
import { compileQuery } from './query-template.ts'
import type { Input, Names } from './template.ts'
import { compileRoot } from './value-template.ts'

/** Compiles a form body: what is nested has its names in brackets; a field that is `{tags*}` repeats its key for each item. */
export function compileForm(
  fields: object,
  names: Names,
  path: Path,
  report: Report,
): (input: Input, pages: Readonly<Record<string, unknown>>) => Payload {
  const isRepeated = ([, value]: [string, unknown]) => typeof value === 'string' && /^\{[^{}]*\*\}$/.test(value)
  const entries: [string, unknown][] = Object.entries(fields)
  const repeated = compileQuery(Object.fromEntries(entries.filter(isRepeated)) as Record<string, string>, names, path, report)
  const body = compileRoot(Object.fromEntries(entries.filter((entry) => !isRepeated(entry))), names, path, report)
  return (input, pages) => writeForm({ ...body(input), ...pages }, repeated(input))
}
