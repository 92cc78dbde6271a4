import type { Paging } from '../answer/paging.ts'
import type { RequestFile } from '../file/app-file.ts'
import type { Frame } from '../frame.ts'
import type { Path, Report } from '../problems.ts'
import type { AppFunction, BuiltRequest } from '../types.ts'
import { sealRequest } from './draft.ts'
import { compileHeaders } from './header-templates.ts'
import { refuseMalformed } from './malformed.ts'
import { compilePath } from './path-template.ts'
import { compileQuery } from './query-template.ts'
import { compileBody, type ReadBody } from './request-body.ts'
import type { Names } from './template.ts'

/** Compiles a function's `request` to the closure that builds onward requests. */
export function compileRequest(
  file: RequestFile,
  frame: Frame,
  names: Names,
  paging: Paging | null,
  at: Path,
  report: Report,
): AppFunction['request'] {
  const path = compilePath(file.path, names, [...at, 'path'], report)
  const query = compileQuery(file.query ?? {}, names, [...at, 'query'], report)
  const headers = compileHeaders(file.headers ?? {}, frame.signer.header, names, [...at, 'headers'], report)
  const bodyType = file.body_type ?? frame.bodyType
  const readBody: ReadBody = compileBody(file, bodyType, names, paging, at, report)
  checkQueryOwners(file, frame, paging, [...at, 'query'], report)

  return (args, account, cursor): BuiltRequest => {
    const problems = frame.accountProblems(account)
    if (problems.length > 0) return { problems }
    const input = { args, account }
    const pages = paging && cursor !== null ? paging.values(cursor) : {}
    const inQuery = paging?.place === 'query' ? Object.entries(pages).map(([key, value]) => [key, String(value)] as const) : []
    return refuseMalformed(args, () => {
      const base = frame.base.fill(account, problems)
      const filled: Record<string, string> = {}
      frame.headers(input, filled, problems)
      headers(input, filled, problems)
      const draft = {
        method: file.method,
        origin: base.origin,
        path: base.prefix + path(input, problems),
        query: [...query(input), ...inQuery],
        headers: filled,
        body: readBody(input, paging?.place === 'body' ? pages : {}),
        bodyType,
      }
      return problems.length > 0 ? { problems } : { request: sealRequest(draft, frame, account) }
    })
  }
}

/** Each key of the query has one owner: the request itself, paging, or auth. */
function checkQueryOwners(file: RequestFile, frame: Frame, paging: Paging | null, at: Path, report: Report): void {
  const taken = paging?.place === 'query' ? paging.parameters : []
  const keys = Object.keys(file.query ?? {})
  for (const key of keys.filter((item) => taken.includes(item))) report([...at, key], 'is set by paging')
  for (const key of [...keys, ...taken].filter((item) => item === frame.signer.queryKey)) report([...at, key], 'is set by auth')
}
