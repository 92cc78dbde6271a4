import type { Places } from '../auth/places.ts'
import type { RequestFile } from '../file/app-file.ts'
import type { Frame } from '../frame.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import type { AppFunction, BuiltRequest } from '../types.ts'
import { compileBody } from './compile-body.ts'
import { sealRequest } from './draft.ts'
import { fileProblems } from './file-problems.ts'
import { compileHeaders } from './header-templates.ts'
import { refuseMalformed } from './malformed.ts'
import { compilePath } from './path-template.ts'
import { compileQuery } from './query-template.ts'
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
  const headers = compileHeaders(file.headers ?? {}, frame.reserved.headers, names, [...at, 'headers'], report)
  const writeBody = compileBody(file, file.body_type ?? frame.bodyType, names, paging, at, report)
  checkQueryOwners(file, frame.reserved, paging, [...at, 'query'], report)

  return (args, account, cursor, files = {}): BuiltRequest => {
    const signer = frame.signerOf(account)
    if ('problems' in signer) return { problems: [...signer.problems] }
    const problems = fileProblems(names.files ?? [], names.required, args, files)
    const input = { args, account, files }
    const pages = (cursor === null ? paging?.atFirst : paging?.values(cursor)) ?? {}
    const inQuery = paging?.place === 'query' ? Object.entries(pages).map(([key, value]) => [key, String(value)] as const) : []
    return refuseMalformed(args, () => {
      const base = frame.base.fill(account, problems)
      const filled: Record<string, string> = {}
      frame.headers(input, filled, problems)
      headers(input, filled, problems)
      const next = paging && cursor !== null ? paging.address(cursor, base, problems) : null
      const draft = {
        method: file.method,
        origin: base.origin,
        path: next ?? base.prefix + path(input, problems),
        query: next === null ? [...query(input), ...inQuery] : [],
        headers: filled,
        body: writeBody(input, paging?.place === 'body' ? pages : {}),
      }
      return problems.length > 0 ? { problems } : { request: sealRequest(draft, signer, account) }
    })
  }
}

/** Each key of the query has one owner: the request itself, paging, or auth. */
function checkQueryOwners(file: RequestFile, reserved: Places, paging: Paging | null, at: Path, report: Report): void {
  const taken = paging?.place === 'query' ? paging.parameters : []
  const keys = Object.keys(file.query ?? {})
  for (const key of keys.filter((item) => taken.includes(item))) report([...at, key], 'is set by paging')
  for (const key of [...keys, ...taken].filter((item) => reserved.queryKeys.has(item))) report([...at, key], 'is set by auth')
}
