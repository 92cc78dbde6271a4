import type { Paging } from '../answer/paging.ts'
import type { BodyType, RequestFile } from '../file/app-file.ts'
import type { Path, Report } from '../problems.ts'
import type { Input, Names } from './template.ts'
import { compileRoot, compileValue } from './value-template.ts'

/** `pages` is what paging adds. undefined = no body. */
export type ReadBody = (input: Input, pages: Readonly<Record<string, unknown>>) => unknown

export function compileBody(file: RequestFile, type: BodyType, names: Names, paging: Paging | null, at: Path, report: Report): ReadBody {
  const paged = paging?.place === 'body' ? paging.parameters : []
  const path = [...at, 'body']
  if (file.method === 'GET' && (file.body !== undefined || paged.length > 0)) report(path, 'GET takes no body')
  if (file.body === undefined) return (_input, pages) => (paged.length > 0 ? pages : undefined)

  if (isMap(file.body)) {
    for (const key of paged.filter((name) => Object.hasOwn(file.body as object, name))) report([...path, key], 'is set by paging')
    const body = compileRoot(file.body, names, path, report)
    return (input, pages) => ({ ...body(input), ...pages })
  }
  const body = compileValue(file.body, names, path, report)
  if (paged.length > 0 || type === 'form') report(path, 'must be an object here')
  return (input) => body.read(input)
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
