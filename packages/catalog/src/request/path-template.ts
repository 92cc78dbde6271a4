import type { Path, Report } from '../problems.ts'
import { type Input, type Names, parseTemplate, tagsOf, toText } from './template.ts'

type PathTemplate = (input: Input, problems: string[]) => string

/** Compiles a path whose tags are each put in as one encoded segment, or a part of one: a value can never add a slash or climb out. */
export function compilePath(text: string, names: Names, path: Path, report: Report): PathTemplate {
  const template = parseTemplate(text, names, (what) => report(path, what))
  const fixed = template.filter((part) => typeof part === 'string').join('x')
  if (/[\s{}?#\\]/.test(fixed)) report(path, 'must not hold spaces, braces, ?, # or \\; a query belongs in query')
  if (text.includes('//') || text.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    report(path, 'must not hold an empty, . or .. segment')
  }
  for (const tag of tagsOf(template)) {
    if (tag.explode) report(path, `{${tag.name}*} can stand only in query`)
    if (!tag.sure) report(path, `{${tag.name}} must be required or have a default`)
    if (tag.schema.type === 'object' || tag.schema.type === 'array') report(path, `{${tag.name}} is no single value`)
  }
  return (input, problems) =>
    template.map((part) => (typeof part === 'string' ? part : segment(part.name, part.read(input), problems))).join('')
}

function segment(name: string, value: unknown, problems: string[]): string {
  const text = value === undefined ? '' : toText(value)
  if (text === '' || text === '.' || text === '..') problems.push(`${name}: must not be empty, "." or ".."`)
  return encodeURIComponent(text)
}
