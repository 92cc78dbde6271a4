import type { Path, Report } from '../problems.ts'
import { connectionHeaders, isHeaderText } from './header-text.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf, toText } from './template.ts'
import { compileValue } from './value-template.ts'

export type HeaderTemplates = (input: Input, headers: Record<string, string>, problems: string[]) => void

/** The text of a header; undefined leaves it out. */
type HeaderTemplate = (input: Input, problems: string[]) => string | undefined

/** Compiles a map of headers; each one whose tags are all there is set, under its lower-case name. */
export function compileHeaders(
  headers: Readonly<Record<string, string | object>>,
  reserved: ReadonlySet<string>,
  names: Names,
  path: Path,
  report: Report,
): HeaderTemplates {
  const compiled = Object.entries(headers).map(([key, value]) => {
    const name = key.toLowerCase()
    const at = [...path, key]
    if (connectionHeaders.has(name)) report(at, 'is set by the HTTP client only')
    if (reserved.has(name)) report(at, 'is set by auth')
    return { name, read: typeof value === 'string' ? compileText(value, names, at, report) : compileJson(value, names, at, report) }
  })
  return (input, filled, problems) => {
    for (const { name, read } of compiled) {
      const text = read(input, problems)
      if (text !== undefined) filled[name] = text
    }
  }
}

function compileText(text: string, names: Names, at: Path, report: Report): HeaderTemplate {
  const template = parseTemplate(text, names, (what) => report(at, what))
  if (tagsOf(template).some((tag) => tag.explode)) report(at, 'a tag with * can stand only in query')
  return (input, problems) => {
    const filled = fillText(template, input)
    if (filled === undefined || isHeaderText(filled)) return filled
    problems.push(...tagsOf(template).flatMap((tag) => unfit(tag, input)))
    return undefined
  }
}

/** JSON in ASCII, so that every header can carry it. */
function compileJson(value: object, names: Names, at: Path, report: Report): HeaderTemplate {
  const template = compileValue(value, names, at, report)
  return (input) => {
    const filled = template.read(input)
    if (filled === undefined) return undefined
    return JSON.stringify(filled).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
}

function unfit(tag: Tag, input: Input): string[] {
  return isHeaderText(toText(tag.read(input))) ? [] : [`${tag.name}: has characters that a header can't carry`]
}
