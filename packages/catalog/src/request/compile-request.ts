import type { Reserved } from '../auth/schemes.ts'
import type { RequestFile } from '../file/app-file.ts'
import type { Paging } from '../paging/paging.ts'
import type { Path, Report } from '../problems.ts'
import { compileHeaders } from '../template/header-template.ts'
import { isHeaderText } from '../template/header-text.ts'
import { type Names, own } from '../template/template.ts'
import { compilePath, compileQuery } from '../template/url-template.ts'
import type { AppFunction, BuiltRequest, FileContent } from '../types.ts'
import { compileBody } from './compile-body.ts'
import type { Frame } from './frame.ts'
import { refuseMalformed, signRequest } from './sign-request.ts'

/** Compiles a function's `request` to a function that builds onward requests. */
export function compileRequest(
  file: RequestFile,
  frame: Frame,
  names: Names,
  paging: Paging | null,
  at: Path,
  report: Report,
): AppFunction['request'] {
  const path = compilePath(file.path, names, [...at, 'path'], report, file.encode_twice)
  const query = compileQuery(file.query ?? {}, names, [...at, 'query'], report)
  const headers = compileHeaders(file.headers ?? {}, frame.reserved.headers, names, [...at, 'headers'], report)
  const writeBody = compileBody(file, file.body_type ?? frame.bodyType, names, paging, at, report)
  checkQueryKeys(file, frame.reserved, paging, [...at, 'query'], report)

  return (args, account, cursor, files = {}): BuiltRequest => {
    const signer = frame.signerOf(account)
    if ('problems' in signer) return { problems: [...signer.problems] }
    const problems = fileProblems(names.files ?? [], names.required, args, files)
    const pages = (cursor === null ? paging?.atFirst : paging?.values(cursor)) ?? {}
    const input = { args: paging?.place === 'template' ? { ...args, ...pages } : args, account, files }
    const inQuery = paging?.place === 'query' ? Object.entries(pages).map(([key, value]) => [key, String(value)] as const) : []
    return refuseMalformed(args, () => {
      const base = frame.baseOf(account).fill(account, problems)
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
      return problems.length > 0 ? { problems } : { request: signRequest(draft, signer, account) }
    })
  }
}

/** Only one of the request, paging and auth may set a query key. */
function checkQueryKeys(file: RequestFile, reserved: Reserved, paging: Paging | null, at: Path, report: Report): void {
  const taken = paging?.place === 'query' ? paging.parameters : []
  const keys = Object.keys(file.query ?? {})
  for (const key of keys.filter((item) => taken.includes(item))) report([...at, key], 'is set by paging')
  for (const key of [...keys, ...taken].filter((item) => reserved.queryKeys.has(item))) report([...at, key], 'is set by auth')
}

type Files = Readonly<Record<string, FileContent>>

/** Returns problems with the files of a call. A file that is required or given needs its bytes and a valid content type. */
function fileProblems(names: readonly string[], required: readonly string[], args: object, files: Files): string[] {
  return names.flatMap((name) => {
    const file = own(files, name)
    if (file === undefined) return required.includes(name) || Object.hasOwn(args, name) ? [`${name}: has no content`] : []
    const typed = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(file.contentType) && isHeaderText(file.contentType)
    return typed ? [] : [`${name}.content_type: is not a media type`]
  })
}
