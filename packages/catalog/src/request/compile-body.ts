import type { BodyType, RequestFile } from '../file/app-file.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import { compileForm } from './compile-form.ts'
import { compileGraphql } from './compile-graphql.ts'
import { compileParts } from './compile-parts.ts'
import { compileRaw } from './compile-raw.ts'
import { writeMultipart } from './multipart.ts'
import { type Payload, writeForm, writeJson } from './payload.ts'
import type { Input, Names } from './template.ts'
import { compileRoot, compileValue } from './value-template.ts'

/** `pages` is what paging adds. undefined = no body. Throws URIError when a text is not well-formed. */
type WriteBody = (input: Input, pages: Readonly<Record<string, unknown>>) => Payload | undefined

export function compileBody(file: RequestFile, type: BodyType, names: Names, paging: Paging | null, at: Path, report: Report): WriteBody {
  const paged = paging?.place === 'body' ? paging.parameters : []
  const path = [...at, 'body']
  if (file.content_type !== undefined && type !== 'raw') report([...at, 'content_type'], 'is only for body_type raw; set the header')
  if (file.graphql !== undefined) return compileGraphql(file, paged, names, at, report)
  if (file.variables !== undefined) report([...at, 'variables'], 'needs graphql')
  if (file.method === 'GET' && (file.body !== undefined || paged.length > 0)) report(path, 'GET takes no body')
  if (type === 'multipart' || type === 'raw') {
    if (paged.length > 0) report(path, `paging can not be in a ${type} body`)
    for (const key of Object.keys(file.headers ?? {}).filter((name) => name.toLowerCase() === 'content-type')) {
      report([...at, 'headers', key], `is set by the ${type} body`)
    }
  }
  if (file.body === undefined) return bodyless(paged, type)

  for (const key of paged.filter((name) => isMap(file.body) && Object.hasOwn(file.body, name))) report([...path, key], 'is set by paging')
  switch (type) {
    case 'raw':
      return compileRaw(file, names, path, report)
    case 'multipart': {
      const parts = compileParts(asMap(file.body, path, report), names, path, report)
      return (input) => writeMultipart(parts(input))
    }
    case 'form':
      return compileForm(asMap(file.body, path, report), names, path, report)
    case 'json':
      return compileJson(file.body, paged, names, path, report)
  }
}

function bodyless(paged: readonly string[], type: BodyType): WriteBody {
  if (paged.length === 0) return () => undefined
  return (_input, pages) => (type === 'form' ? writeForm(pages) : writeJson(pages))
}

function compileJson(file: unknown, paged: readonly string[], names: Names, path: Path, report: Report): WriteBody {
  if (isMap(file) || paged.length > 0) {
    const body = compileRoot(asMap(file, path, report), names, path, report)
    return (input, pages) => writeJson({ ...body(input), ...pages })
  }
  const body = compileValue(file, names, path, report)
  return (input) => {
    const value = body.read(input)
    return value === undefined ? undefined : writeJson(value)
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
