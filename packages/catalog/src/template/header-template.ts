import { writeJson } from '@onward/json'
import type { Path, Report } from '../problems.ts'
import { CONNECTION_HEADERS, isHeaderText, LOSES_BLANKS, losesBlanks } from './header-text.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf, toText } from './template.ts'
import { compileValue } from './value-template.ts'

export type HeaderTemplates = (input: Input, headers: Record<string, string>, problems: string[]) => void

/** Returns the text of a header; undefined leaves it out. */
type HeaderTemplate = (input: Input, problems: string[]) => string | undefined

/** Compiles a map of headers. A header is set, under its lower-case name, when all its tags have values. */
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
    if (CONNECTION_HEADERS.has(name)) report(at, 'is set by the HTTP client only')
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
  if (tagsOf(template).some((tag) => tag.explode)) report(at, 'a tag with * is only allowed in query')
  return (input, problems) => {
    const filled = fillText(template, input)
    if (filled === undefined || (isHeaderText(filled) && !losesBlanks(filled))) return filled
    problems.push(...tagsOf(template).flatMap((tag) => unfit(tag, input)))
    return isHeaderText(filled) ? filled : undefined
  }
}

/** Writes JSON in ASCII, which is valid in every header. */
function compileJson(value: object, names: Names, at: Path, report: Report): HeaderTemplate {
  const template = compileValue(value, names, at, report)
  return (input) => {
    const filled = template.read(input)
    if (filled === undefined) return undefined
    return writeJson(filled).replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
}

function unfit(tag: Tag, input: Input): string[] {
  const text = toText(tag.read(input))
  if (!isHeaderText(text)) return [`${tag.name}: has characters that a header cannot carry`]
  // A blank beside a setting of an account has no meaning.
  return losesBlanks(text) && !tag.name.startsWith('account.') ? [`${tag.name}: ${LOSES_BLANKS}`] : []
}
