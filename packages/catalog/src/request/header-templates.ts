import type { Path, Report } from '../problems.ts'
import { fillText, type Input, type Names, parseTemplate, type Tag, tagsOf, toText } from './template.ts'

export type HeaderTemplates = (input: Input, headers: Record<string, string>, problems: string[]) => void

/** Headers that belong to the connection or to the HTTP client; nobody but them may set these. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** True for text that can be sent as a header value: latin-1 without control characters (RFC 9110, 5.5). */
export function isHeaderText(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text)
}

/** Compiles a map of headers; each one whose tags are all there is set, under its lower-case name. */
export function compileHeaders(
  headers: Readonly<Record<string, string>>,
  reserved: string | undefined,
  names: Names,
  path: Path,
  report: Report,
): HeaderTemplates {
  const compiled = Object.entries(headers).map(([key, text]) => {
    const name = key.toLowerCase()
    const template = parseTemplate(text, names, (what) => report([...path, key], what))
    if (tagsOf(template).some((tag) => tag.explode)) report([...path, key], 'a tag with * can stand only in query')
    if (connectionHeaders.has(name)) report([...path, key], 'is set by the HTTP client only')
    if (name === reserved) report([...path, key], 'is set by auth')
    return { name, template }
  })
  return (input, filled, problems) => {
    for (const { name, template } of compiled) {
      const text = fillText(template, input)
      if (text === undefined) continue
      if (isHeaderText(text)) filled[name] = text
      else problems.push(...tagsOf(template).flatMap((tag) => unfit(tag, input)))
    }
  }
}

function unfit(tag: Tag, input: Input): string[] {
  return isHeaderText(toText(tag.read(input))) ? [] : [`${tag.name}: has characters that a header can't carry`]
}
