import { isStructured, writeJson } from '@onward/json'
import type { BodyType, RequestFile } from '../file/app-file.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import { emptyProblems, wellFormed } from '../template/encoding.ts'
import { fillText, type Input, type Names, own, parseTemplate, tagsOf, toText } from '../template/template.ts'
import { compileQuery } from '../template/url-template.ts'
import { compileRoot, compileValue } from '../template/value-template.ts'
import { compileMail } from './compile-mail.ts'
import { contentsOf, fileParameter } from './files.ts'
import { jsonPayload, type Part, type Payload, writeForm, writeMultipart } from './payload.ts'

/** `pages` are the values that paging adds. Returns undefined for no body. Throws URIError when a text is not well-formed. */
type WriteBody = (input: Input, pages: Readonly<Record<string, unknown>>, problems: string[]) => Payload | undefined

export function compileBody(file: RequestFile, type: BodyType, names: Names, paging: Paging | null, at: Path, report: Report): WriteBody {
  const paged = paging?.place === 'body' ? paging.parameters : []
  const path = [...at, 'body']
  if (file.content_type !== undefined && type !== 'raw') report([...at, 'content_type'], 'is only for body_type raw; set the header')
  if (file.graphql !== undefined) return compileGraphql(file, paged, names, at, report)
  if (file.variables !== undefined) report([...at, 'variables'], 'needs graphql')
  if (file.method === 'GET' && (file.body !== undefined || paged.length > 0)) report(path, 'GET takes no body')
  const kind = file.mail === undefined ? type : 'mail'
  if (kind === 'multipart' || kind === 'raw' || kind === 'mail') {
    if (paged.length > 0) report(path, `paging cannot be in a ${kind} body`)
    for (const key of Object.keys(file.headers ?? {}).filter((name) => name.toLowerCase() === 'content-type')) {
      report([...at, 'headers', key], `is set by the ${kind} body`)
    }
  }
  if (file.mail !== undefined) {
    if (type !== 'json') report([...at, 'body_type'], 'cannot be combined with mail')
    const write = compileMail(file.mail, asMap(file.body ?? {}, path, report), names, at, report)
    return (input, _pages, problems) => write(input, problems)
  }
  if (file.body === undefined) return bodyless(paged, type)

  for (const key of paged.filter((name) => isMap(file.body) && Object.hasOwn(file.body, name))) report([...path, key], 'is set by paging')
  switch (type) {
    case 'raw':
      return compileRaw(file, names, path, report)
    case 'multipart': {
      const parts = compileParts(asMap(file.body, path, report), names, path, report)
      return (input, _pages, problems) => writeMultipart(parts(input, problems))
    }
    case 'form':
      return compileForm(asMap(file.body, path, report), paged, names, path, report)
    case 'json':
      return compileJson(file.body, paged, names, path, report)
  }
}

function bodyless(paged: readonly string[], type: BodyType): WriteBody {
  if (paged.length === 0) return () => undefined
  return (_input, pages) => (type === 'form' ? writeForm(pages) : jsonPayload(pages))
}

function compileJson(file: unknown, paged: readonly string[], names: Names, path: Path, report: Report): WriteBody {
  if (isMap(file) || paged.length > 0) {
    const body = compileRoot(asMap(file, path, report), names, path, report)
    return (input, pages) => jsonPayload(paged.length === 0 ? body(input) : { ...body(input), ...pages })
  }
  const body = compileValue(file, names, path, report)
  return (input) => {
    const value = body.read(input)
    return value === undefined ? undefined : jsonPayload(value)
  }
}

function asMap(body: unknown, path: Path, report: Report): object {
  if (isMap(body)) return body
  report(path, 'must be an object here')
  return {}
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Compiles a form body. Nested values have names in brackets; a field `{tags*}` is written as in a query. An empty list or object is a problem. */
function compileForm(
  fields: object,
  paged: readonly string[],
  names: Names,
  path: Path,
  report: Report,
): (input: Input, pages: Readonly<Record<string, unknown>>, problems: string[]) => Payload {
  const isRepeated = ([, value]: [string, unknown]) => typeof value === 'string' && /^\{[^{}]*\*\}$/.test(value)
  const entries: [string, unknown][] = Object.entries(fields)
  const plain = Object.fromEntries(entries.filter((entry) => !isRepeated(entry)))
  const taken = [...Object.keys(plain), ...paged]
  const repeated = compileQuery(Object.fromEntries(entries.filter(isRepeated)) as Record<string, string>, names, path, report, taken)
  const body = compileRoot(plain, names, path, report)
  const text = JSON.stringify(plain)
  const used = Object.keys(names.parameters).filter((name) => text.includes(`"{${name}}"`) && !Object.hasOwn(names.separators ?? {}, name))
  return (input, pages, problems) => {
    for (const name of used) problems.push(...emptyProblems(name, own(input.args, name), names.parameters[name]?.default))
    return writeForm({ ...body(input), ...pages }, repeated(input, problems))
  }
}

type Pages = Readonly<Record<string, unknown>>

/** Compiles a GraphQL request (GraphQL over HTTP, 5.4). The values of paging go into the variables. */
function compileGraphql(file: RequestFile, paged: readonly string[], names: Names, at: Path, report: Report) {
  if (file.method !== 'POST') report([...at, 'method'], 'must be POST for GraphQL')
  for (const key of ['body', 'body_type', 'content_type', 'mail'] as const) {
    if (file[key] !== undefined) report([...at, key], 'cannot be combined with graphql')
  }
  for (const key of paged.filter((name) => Object.hasOwn(file.variables ?? {}, name))) report([...at, 'variables', key], 'is set by paging')
  const variables = compileRoot(file.variables ?? {}, names, [...at, 'variables'], report)
  return (input: Input, pages: Pages): Payload => jsonPayload({ query: file.graphql, variables: { ...variables(input), ...pages } })
}

/** Compiles a body that is one text or one file; undefined when it is absent. Throws URIError when the text is not well-formed. */
function compileRaw(file: RequestFile, names: Names, at: Path, report: Report): (input: Input) => Payload | undefined {
  const name = fileParameter(file.body, names)
  if (name !== null) {
    if (names.parameters[name]?.type === 'array') report(at, `{${name}} is a list of files, which only a multipart body can have`)
    return ({ files }) => {
      const [content] = contentsOf(files, name)
      return content && { content: content.bytes, contentType: file.content_type ?? content.contentType, fixed: true }
    }
  }
  if (typeof file.body !== 'string') report(at, 'must be text here')
  const template = parseTemplate(String(file.body), names, (what) => report(at, what))
  if (tagsOf(template).some((tag) => tag.explode)) report(at, 'a tag with * is only allowed in query')
  const contentType = file.content_type ?? 'text/plain; charset=utf-8'
  return (input) => {
    const text = fillText(template, input)
    return text === undefined ? undefined : { content: wellFormed(text), contentType, fixed: true }
  }
}

type Parts = (input: Input, problems: string[]) => Part[]

/**
 * Compiles the body of a multipart request: each key is a part. The tag of a file becomes a file. An array, also of files, becomes one part
 * for each item, and an object becomes a part in JSON. Absent values are left out.
 */
function compileParts(body: object, names: Names, at: Path, report: Report): Parts {
  const compiled = Object.entries(body).map(([name, value]) => compilePart(name, value, names, [...at, name], report))
  return (input, problems) => compiled.flatMap((read) => read(input, problems))
}

function compilePart(name: string, value: unknown, names: Names, at: Path, report: Report): Parts {
  const file = fileParameter(value, names)
  if (file !== null) {
    return ({ files }) => contentsOf(files, file).map((content) => ({ name, file: content }))
  }
  const template = compileValue(value, names, at, report)
  const parameter = typeof value === 'string' ? value.slice(1, -1) : undefined
  return (input, problems) => {
    const filled = template.read(input)
    if (filled === undefined) return []
    const items = Array.isArray(filled) ? filled : [filled]
    if (items.length === 0 && parameter !== undefined)
      problems.push(...emptyProblems(parameter, items, own(names.parameters, parameter)?.default))
    return items.map((item) => toPart(name, item))
  }
}

function toPart(name: string, value: unknown): Part {
  if (isStructured(value)) return { name, text: writeJson(value), contentType: 'application/json' }
  return { name, text: toText(value) }
}
