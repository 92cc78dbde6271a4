import type { Path, Report } from '../problems.ts'
import { type Pair, toPairs } from './encoding.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf, toText } from './template.ts'

type PathTemplate = (input: Input, problems: string[]) => string

/**
 * Compiles a path. Each tag is encoded as one segment or a part of one, so a value can never add a slash or leave the path. The parameters
 * `twice` are encoded twice when they begin with a slash or contain two: some servers decode a path before they split it.
 */
export function compilePath(text: string, names: Names, path: Path, report: Report, twice: readonly string[] = []): PathTemplate {
  const template = parseTemplate(text, names, (what) => report(path, what))
  const fixed = template.filter((part) => typeof part === 'string').join('x')
  if (/[\s{}?#\\]/.test(fixed)) report(path, 'must not contain spaces, braces, ?, # or \\; a query belongs in query')
  if (text.includes('//') || text.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    report(path, 'must not contain an empty, . or .. segment')
  }
  for (const tag of tagsOf(template)) {
    if (tag.explode) report(path, `{${tag.name}*} is only allowed in query`)
    if (!tag.alwaysSet) report(path, `{${tag.name}} must be required or have a default`)
    if (tag.schema.type === 'object' || tag.schema.type === 'array') report(path, `{${tag.name}} is not a single value`)
  }
  for (const name of twice.filter((item) => !tagsOf(template).some((tag) => tag.name === item))) {
    report(path, `has no {${name}}, which encode_twice names`)
  }
  return (input, problems) =>
    template
      .map((part) => (typeof part === 'string' ? part : segment(part.name, part.read(input), problems, twice.includes(part.name))))
      .join('')
}

function segment(name: string, value: unknown, problems: string[], twice: boolean): string {
  const text = value === undefined ? '' : toText(value)
  if (text === '' || text === '.' || text === '..') problems.push(`${name}: must not be empty, "." or ".."`)
  return twice && /^\/|\/\//.test(text) ? encodeURIComponent(encodeURIComponent(text)) : encodeURIComponent(text)
}

type QueryTemplate = (input: Input) => Pair[]

/**
 * Compiles the query. A key is left out when its tag is absent. `{name}` joins an array with commas, `{name*}` repeats the key for each item
 * (RFC 6570), and an object is written with brackets.
 */
export function compileQuery(
  query: Readonly<Record<string, string | number | boolean>>,
  names: Names,
  path: Path,
  report: Report,
): QueryTemplate {
  const compiled = Object.entries(query).map(([key, value]) => compilePair(key, String(value), names, [...path, key], report))
  return (input) => compiled.flatMap((pair) => pair(input))
}

function compilePair(key: string, text: string, names: Names, path: Path, report: Report): QueryTemplate {
  const template = parseTemplate(text, names, (what) => report(path, what))
  const tags = tagsOf(template)
  if (template.length === 1 && tags.length === 1) return wholeValue(key, tags[0] as Tag, path, report)
  if (tags.some((tag) => tag.explode)) report(path, 'a tag with * must be the whole value')
  return (input) => {
    const filled = fillText(template, input)
    return filled === undefined ? [] : [[key, filled]]
  }
}

function wholeValue(key: string, tag: Tag, path: Path, report: Report): QueryTemplate {
  if (tag.explode) {
    if (tag.schema.type !== 'array') report(path, `{${tag.name}*} is not an array`)
    return (input) => ((tag.read(input) as unknown[] | undefined) ?? []).flatMap((item) => toPairs(key, item))
  }
  if (tag.schema.type === 'object') return (input) => toPairs(key, tag.read(input))
  return (input) => {
    const text = fillText([tag], input)
    return text === undefined ? [] : [[key, text]]
  }
}
