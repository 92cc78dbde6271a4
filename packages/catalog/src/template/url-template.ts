import type { Path, Report } from '../problems.ts'
import { emptyProblems, type Pair, toPairs } from './encoding.ts'
import { fillText, type Input, joinItems, type Names, parseTemplate, type Tag, tagsOf, toText } from './template.ts'

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
    if (tag.schema.nullable) report(path, `{${tag.name}} must not be nullable`)
    if (tag.schema.type === 'object' || tag.schema.type === 'array') report(path, `{${tag.name}} is not a single value`)
    if (/[/?#\\]/.test(tag.list?.separator ?? '')) report(path, `{${tag.name}} must not have a separator with /, ?, # or \\`)
  }
  for (const name of twice.filter((item) => !tagsOf(template).some((tag) => tag.name === item))) {
    report(path, `has no {${name}}, which encode_twice names`)
  }
  return (input, problems) =>
    template.map((part) => (typeof part === 'string' ? part : tagInPath(part, input, problems, twice.includes(part.name)))).join('')
}

/** The items of a list are encoded one by one, and the text between them as it is written in URLs: `;id=` stays as it is. */
function tagInPath({ name, list, read }: Tag, input: Input, problems: string[], twice: boolean): string {
  if (list === undefined) return segment(name, read(input), problems, twice)
  const text = joinItems(list.read(input), encodeURI(list.separator), (item) => segment(name, item, problems, twice))
  // An empty list.
  return text || segment(name, undefined, problems, twice)
}

function segment(name: string, value: unknown, problems: string[], twice: boolean): string {
  const text = value === undefined ? '' : toText(value)
  if (text === '' || text === '.' || text === '..') problems.push(`${name}: must not be empty, "." or ".."`)
  return twice && /^\/|\/\//.test(text) ? encodeURIComponent(encodeURIComponent(text)) : encodeURIComponent(text)
}

type QueryTemplate = (input: Input, problems: string[]) => Pair[]

/**
 * Compiles the query. A key is left out when its tag is absent. `{name}` joins an array with commas and writes an object with brackets.
 * `{name*}` repeats the key for each item of an array, and makes a key of each field of an object (RFC 6570). Such a field must not be another
 * key of the query, or one of `taken`, which paging and auth set.
 */
export function compileQuery(
  query: Readonly<Record<string, string | number | boolean>>,
  names: Names,
  path: Path,
  report: Report,
  taken: readonly string[] = [],
): QueryTemplate {
  const compiled = Object.entries(query).map(([key, value]) => {
    const others = new Set([...taken, ...Object.keys(query).filter((other) => other !== key)])
    return compilePair(key, String(value), names, [...path, key], report, others)
  })
  return (input, problems) => compiled.flatMap((pair) => pair(input, problems))
}

function compilePair(key: string, text: string, names: Names, path: Path, report: Report, others: ReadonlySet<string>): QueryTemplate {
  const template = parseTemplate(text, names, (what) => report(path, what))
  const tags = tagsOf(template)
  if (template.length === 1 && tags.length === 1) return wholeValue(key, tags[0] as Tag, path, report, others)
  if (tags.some((tag) => tag.explode)) report(path, 'a tag with * must be the whole value')
  return (input) => {
    const filled = fillText(template, input)
    return filled === undefined ? [] : [[key, filled]]
  }
}

function wholeValue(key: string, tag: Tag, path: Path, report: Report, others: ReadonlySet<string>): QueryTemplate {
  if (tag.explode) {
    if (tag.schema.type === 'object') {
      if (tag.schema.nullable) report(path, `{${tag.name}*} must not be nullable`)
      return (input, problems) => fieldPairs(tag.name, tag.read(input) ?? {}, others, problems)
    }
    if (tag.schema.type !== 'array') report(path, `{${tag.name}*} is neither an array nor an object`)
    return (input, problems) => {
      const value = given(tag, input, problems)
      return Array.isArray(value) ? value.flatMap((item) => toPairs(key, item)) : toPairs(key, value)
    }
  }
  if (tag.schema.type === 'object') return (input, problems) => toPairs(key, given(tag, input, problems))
  return (input) => {
    const text = fillText([tag], input)
    return text === undefined ? [] : [[key, text]]
  }
}

/** Returns the value of a tag. A part of it that a query cannot express is a problem. */
function given(tag: Tag, input: Input, problems: string[]): unknown {
  const value = tag.read(input)
  problems.push(...emptyProblems(tag.name, value, tag.schema.default))
  return value
}

/** Returns a pair for each field. A list repeats its key. A field that would set another key of the request is a problem. */
function fieldPairs(name: string, value: object, others: ReadonlySet<string>, problems: string[]): Pair[] {
  return Object.entries(value).flatMap(([field, item]) => {
    if (others.has(field)) problems.push(`${name}.${field}: is another key of the query`)
    problems.push(...emptyProblems(`${name}.${field}`, item))
    return (Array.isArray(item) ? item : [item]).flatMap((each) => toPairs(field, each))
  })
}
