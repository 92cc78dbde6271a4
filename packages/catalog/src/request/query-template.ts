import type { Path, Report } from '../problems.ts'
import { type Pair, toPairs } from './pairs.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf } from './template.ts'

type QueryTemplate = (input: Input) => Pair[]

/**
 * Compiles the query. A key whose tag is absent is left out; `{name}` joins an array with commas, `{name*}` repeats the key for each item
 * (RFC 6570), an object is written with brackets.
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
  if (tags.some((tag) => tag.explode)) report(path, 'a tag with * must stand alone')
  return (input) => {
    const filled = fillText(template, input)
    return filled === undefined ? [] : [[key, filled]]
  }
}

function wholeValue(key: string, tag: Tag, path: Path, report: Report): QueryTemplate {
  if (tag.explode) {
    if (tag.schema.type !== 'array') report(path, `{${tag.name}*} is no array`)
    return (input) => ((tag.read(input) as unknown[] | undefined) ?? []).flatMap((item) => toPairs(key, item))
  }
  if (tag.schema.type === 'object') return (input) => toPairs(key, tag.read(input))
  return (input) => {
    const text = fillText([tag], input)
    return text === undefined ? [] : [[key, text]]
  }
}
